"""Models whose training steps foretelling is held against, for ci/measure-pytorch-steps. Each function returns model, optimizer, loss and
batch; those that torchvision has are its own. CUPEL_SMALL=1 makes the others small, for a machine without a GPU."""

import os

import torch
from torch import nn
from torch.nn import functional as F

SMALL = os.environ.get("CUPEL_SMALL", "") == "1"


def sgd(model):
    return torch.optim.SGD(model.parameters(), lr=1e-3, momentum=0.9, weight_decay=1e-4)


def adamw(model):
    return torch.optim.AdamW(model.parameters(), lr=1e-4)


def images(model, batch, size, optimizer=sgd, classes=1000):
    return model, optimizer(model), F.cross_entropy, (torch.randn(batch, 3, size, size), torch.randint(0, classes, (batch,)))


def vision(name, **options):
    import torchvision
    return getattr(torchvision.models, name)(**options)


def resnet50():
    return images(vision("resnet50"), 64, 224)


def resnet50_large():
    return images(vision("resnet50"), 256, 224)


def mobilenet():
    return images(vision("mobilenet_v3_large"), 128, 224)


def efficientnet():
    return images(vision("efficientnet_b0"), 64, 224)


def vit():
    return images(vision("vit_b_16"), 32, 224, adamw)


def convnext():
    return images(vision("convnext_tiny"), 64, 224, adamw)


def small_images():
    """The host binds."""
    return images(vision("resnet18", num_classes=10), 128, 32, classes=10)


class Twice(nn.Sequential):
    """Two convolutions with bias, a norm and a ReLU behind each."""

    def __init__(self, before, after):
        super().__init__(nn.Conv2d(before, after, 3, padding=1), nn.BatchNorm2d(after), nn.ReLU(inplace=True),
                         nn.Conv2d(after, after, 3, padding=1), nn.BatchNorm2d(after), nn.ReLU(inplace=True))


class UNet(nn.Module):
    """Four halvings, joined with what comes back up; classes for each pixel."""

    def __init__(self, width, classes):
        super().__init__()
        widths = [width << level for level in range(5)]
        self.down = nn.ModuleList(Twice(before, after) for before, after in zip([3, *widths], widths))
        self.up = nn.ModuleList(nn.ConvTranspose2d(2 * w, w, 2, stride=2) for w in widths[-2::-1])
        self.joined = nn.ModuleList(Twice(2 * w, w) for w in widths[-2::-1])
        self.head = nn.Conv2d(width, classes, 1)

    def forward(self, x):
        kept = []
        for level, block in enumerate(self.down):
            x = block(F.max_pool2d(x, 2) if level else x)
            kept.append(x)
        kept.pop()
        for up, block in zip(self.up, self.joined):
            x = block(torch.cat([kept.pop(), up(x)], 1))
        return self.head(x)


def unet():
    batch, size, width, classes = (2, 32, 4, 4) if SMALL else (16, 256, 64, 21)
    model = UNet(width, classes)
    return model, adamw(model), F.cross_entropy, (torch.randn(batch, 3, size, size), torch.randint(0, classes, (batch, size, size)))


class Attention(nn.Module):
    def __init__(self, width, heads, fused, dropout):
        super().__init__()
        self.heads, self.fused = heads, fused
        self.qkv, self.out, self.dropout = nn.Linear(width, 3 * width), nn.Linear(width, width), nn.Dropout(dropout)

    def forward(self, x):
        batch, tokens, width = x.shape
        q, k, v = self.qkv(x).view(batch, tokens, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        if self.fused:
            mixed = F.scaled_dot_product_attention(q, k, v, is_causal=True, dropout_p=self.dropout.p)
        else:
            scores = q @ k.transpose(-2, -1) * (width // self.heads) ** -0.5
            later = torch.ones(tokens, tokens, dtype=torch.bool, device=x.device).triu(1)
            mixed = self.dropout(F.softmax(scores.masked_fill(later, float("-inf")), dim=-1)) @ v
        return self.out(mixed.transpose(1, 2).reshape(batch, tokens, width))


class Decoder(nn.Module):
    def __init__(self, vocabulary, tokens, width, heads, layers, fused, dropout):
        super().__init__()
        self.tokens, self.places = nn.Embedding(vocabulary, width), nn.Embedding(tokens, width)
        self.norms = nn.ModuleList(nn.ModuleList([nn.LayerNorm(width), nn.LayerNorm(width)]) for _ in range(layers))
        self.mixers = nn.ModuleList(Attention(width, heads, fused, dropout) for _ in range(layers))
        self.feeds = nn.ModuleList(nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width), nn.Dropout(dropout))
                                   for _ in range(layers))
        self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, vocabulary, bias=False)

    def forward(self, x):
        h = self.tokens(x) + self.places(torch.arange(x.shape[1], device=x.device))
        for (before_mixer, before_feed), mixer, feed in zip(self.norms, self.mixers, self.feeds):
            h = h + mixer(before_mixer(h))
            h = h + feed(before_feed(h))
        return self.head(self.norm(h)).flatten(0, 1)


def text(model, batch, tokens, vocabulary):
    return model, adamw(model), F.cross_entropy, (torch.randint(0, vocabulary, (batch, tokens)), torch.randint(0, vocabulary, (batch * tokens,)))


def decoder():
    batch, tokens, vocabulary, width, heads, layers = (2, 16, 64, 32, 2, 2) if SMALL else (4, 1024, 50257, 768, 12, 12)
    return text(Decoder(vocabulary, tokens, width, heads, layers, fused=True, dropout=0.0), batch, tokens, vocabulary)


def written_out(fused=False):
    batch, tokens, vocabulary, width, heads, layers = (2, 16, 64, 32, 2, 2) if SMALL else (16, 512, 16384, 512, 8, 8)
    return text(Decoder(vocabulary, tokens, width, heads, layers, fused, dropout=0.1), batch, tokens, vocabulary)


def fused_attention():
    return written_out(fused=True)


class Encoder(nn.Module):
    """PyTorch's own encoder, with its dropout; words behind masks are guessed."""

    def __init__(self, vocabulary, tokens, width, heads, layers):
        super().__init__()
        self.tokens, self.places = nn.Embedding(vocabulary, width), nn.Parameter(0.02 * torch.randn(1, tokens, width))
        layer = nn.TransformerEncoderLayer(width, heads, 4 * width, activation="gelu", batch_first=True)
        self.layers, self.head = nn.TransformerEncoder(layer, layers), nn.Linear(width, vocabulary)

    def forward(self, x):
        return self.head(self.layers(self.tokens(x) + self.places)).flatten(0, 1)


def encoder():
    batch, tokens, vocabulary, width, heads, layers = (2, 16, 64, 32, 2, 2) if SMALL else (32, 128, 30522, 768, 12, 12)
    return text(Encoder(vocabulary, tokens, width, heads, layers), batch, tokens, vocabulary)

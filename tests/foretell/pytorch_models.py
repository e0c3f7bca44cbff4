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
    return images(vision("resnet50"), 192, 224)


def mobilenet():
    return images(vision("mobilenet_v3_large"), 128, 224)


def efficientnet():
    return images(vision("efficientnet_b0"), 64, 224)


def vit():
    return images(vision("vit_b_16"), 32, 224, adamw)


def convnext():
    return images(vision("convnext_tiny"), 32, 224, adamw)


def resnext50():
    """Grouped convolutions."""
    return images(vision("resnext50_32x4d"), 32, 224)


def swin():
    return images(vision("swin_t"), 32, 224, adamw)


def small_vit():
    """Images of 32 x 32 in patches of 4."""
    return images(vision("VisionTransformer", image_size=32, patch_size=4, num_layers=12, num_heads=6, hidden_dim=384, mlp_dim=1536,
                         num_classes=10), 64, 32, adamw, 10)


def small_images():
    """The host binds."""
    return images(vision("resnet18", num_classes=10), 128, 32, classes=10)


def densenet_small():
    """Many small kernels: the host binds."""
    return images(vision("densenet121", num_classes=10), 16, 64, classes=10)


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


def gpt2_wide():
    batch, tokens, vocabulary, width, heads, layers = (2, 16, 64, 32, 2, 2) if SMALL else (4, 512, 50257, 1024, 16, 12)
    return text(Decoder(vocabulary, tokens, width, heads, layers, fused=True, dropout=0.1), batch, tokens, vocabulary)


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


class BertLayer(nn.Module):
    """Attention as BERT's first code has it, a norm behind each half."""

    def __init__(self, width, heads, fused, dropout=0.1):
        super().__init__()
        self.heads, self.fused, self.dropout = heads, fused, nn.Dropout(dropout)
        self.query, self.key, self.value, self.out = (nn.Linear(width, width) for _ in range(4))
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)
        self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in range(2))

    def mixed(self, x, mask):
        batch, tokens, width = x.shape
        q, k, v = (part(x).view(batch, tokens, self.heads, -1).transpose(1, 2) for part in (self.query, self.key, self.value))
        if self.fused:
            mixed = F.scaled_dot_product_attention(q, k, v, attn_mask=mask.to(q.dtype), dropout_p=self.dropout.p)
        else:
            scores = torch.matmul(q, k.transpose(-1, -2)) / (width // self.heads) ** 0.5 + mask
            mixed = torch.matmul(self.dropout(F.softmax(scores, dim=-1)), v)
        return mixed.transpose(1, 2).reshape(batch, tokens, width)

    def forward(self, x, mask):
        x = self.norms[0](x + self.dropout(self.out(self.mixed(x, mask))))
        return self.norms[1](x + self.dropout(self.down(F.gelu(self.up(x)))))


class Bert(nn.Module):
    """Words behind masks are guessed; the head has the words' own weights."""

    def __init__(self, vocabulary, tokens, width, heads, layers, fused):
        super().__init__()
        self.words, self.places, self.parts = nn.Embedding(vocabulary, width), nn.Embedding(tokens, width), nn.Embedding(2, width)
        self.norm, self.dropout = nn.LayerNorm(width), nn.Dropout(0.1)
        self.layers = nn.ModuleList(BertLayer(width, heads, fused) for _ in range(layers))
        self.turn, self.last_norm, self.bias = nn.Linear(width, width), nn.LayerNorm(width), nn.Parameter(torch.zeros(vocabulary))

    def forward(self, words, parts, is_word):
        mask = (1.0 - is_word[:, None, None, :].float()) * -10000.0
        x = self.words(words) + self.places(torch.arange(words.shape[1], device=words.device)) + self.parts(parts)
        x = self.dropout(self.norm(x))
        for layer in self.layers:
            x = layer(x, mask)
        return F.linear(self.last_norm(F.gelu(self.turn(x))), self.words.weight, self.bias).flatten(0, 1)


def bert(fused=False):
    batch, tokens, vocabulary, width, heads, layers = (2, 16, 64, 32, 2, 2) if SMALL else (16, 256, 30522, 768, 12, 12)
    model = Bert(vocabulary, tokens, width, heads, layers, fused)
    words = torch.randint(0, vocabulary, (batch, tokens))
    return model, adamw(model), F.cross_entropy, (words, torch.zeros_like(words), torch.ones_like(words), words.flatten())


def bert_fused():
    return bert(fused=True)

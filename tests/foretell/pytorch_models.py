"""Models whose training steps foretelling is held against, for ci/measure-pytorch-steps. Each function returns model, optimizer, loss and
batch; those that torchvision has are its own. CUPEL_SMALL=1 makes the others small, for a machine without a GPU."""

import operator
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
    return operator.attrgetter(name)(torchvision.models)(**options)


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


# ---- steps of a later measurement: kinds that the rules had not met


def densenet():
    """Its convolutions read what all those before them gave, put together anew."""
    return images(vision("densenet121"), 64, 224)


def googlenet():
    """Branches of convolutions side by side."""
    return images(vision("googlenet", aux_logits=False, init_weights=False), 128, 224)


def regnet():
    """Grouped convolutions, and channels weighed by their means."""
    return images(vision("regnet_y_3_2gf"), 64, 224)


def vgg():
    """Convolutions with biases and no norms, wide products with dropout."""
    return images(vision("vgg16"), 64, 224)


def convnext_small():
    return images(vision("convnext_small"), 64, 224, adamw)


def video():
    """Convolutions in three dimensions."""
    batch, frames, size = (1, 4, 32) if SMALL else (8, 16, 112)
    model = vision("video.r3d_18", num_classes=400)
    return model, sgd(model), F.cross_entropy, (torch.randn(batch, 3, frames, size, size), torch.randint(0, 400, (batch,)))


class OfPixels(nn.Module):
    """Classes for each pixel, of what torchvision's nets for that give."""

    def __init__(self, net):
        super().__init__()
        self.net = net

    def forward(self, x):
        return self.net(x)["out"]


def deeplab():
    batch, size = (2, 64) if SMALL else (8, 384)
    model = OfPixels(vision("segmentation.deeplabv3_resnet50", num_classes=21, weights_backbone=None))
    return model, sgd(model), F.cross_entropy, (torch.randn(batch, 3, size, size), torch.randint(0, 21, (batch, size, size)))


class ResidualPair(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.first, self.second = (nn.Conv2d(width, width, 3, padding=1) for _ in range(2))

    def forward(self, x):
        return x + 0.1 * self.second(F.relu(self.first(x), inplace=True))


def super_resolution():
    """Images made four times as large: one width throughout, no norms."""
    batch, size, width, blocks = (2, 16, 8, 2) if SMALL else (16, 128, 64, 16)
    model = nn.Sequential(nn.Conv2d(3, width, 3, padding=1), *(ResidualPair(width) for _ in range(blocks)),
                          nn.Conv2d(width, 4 * width, 3, padding=1), nn.PixelShuffle(2), nn.Conv2d(width, 3, 3, padding=1))
    return model, adamw(model), F.l1_loss, (torch.rand(batch, 3, size, size), torch.rand(batch, 3, 2 * size, 2 * size))


class NormedPair(nn.Module):
    """Two convolutions, a group norm and SiLU ahead of each, the time added between them."""

    def __init__(self, before, after, times):
        super().__init__()
        self.norms = nn.ModuleList([nn.GroupNorm(8, before), nn.GroupNorm(8, after)])
        self.convolutions = nn.ModuleList([nn.Conv2d(before, after, 3, padding=1), nn.Conv2d(after, after, 3, padding=1)])
        self.time, self.around = nn.Linear(times, after), nn.Conv2d(before, after, 1)

    def forward(self, x, time):
        h = self.convolutions[0](F.silu(self.norms[0](x))) + self.time(F.silu(time))[:, :, None, None]
        return self.around(x) + self.convolutions[1](F.silu(self.norms[1](h)))


class PixelAttention(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.norm, self.qkv, self.out, self.heads = nn.GroupNorm(8, width), nn.Conv2d(width, 3 * width, 1), nn.Conv2d(width, width, 1), heads

    def forward(self, x):
        batch, width, high, wide = x.shape
        q, k, v = self.qkv(self.norm(x)).reshape(batch, 3, self.heads, -1, high * wide).transpose(-1, -2).unbind(1)
        return x + self.out(F.scaled_dot_product_attention(q, k, v).transpose(-1, -2).reshape(batch, width, high, wide))


class Diffusion(nn.Module):
    """The noise in images at three sizes, with attention at the two smaller ones."""

    def __init__(self, width):
        super().__init__()
        self.times = nn.Sequential(nn.Linear(1, 4 * width), nn.SiLU(), nn.Linear(4 * width, 4 * width))
        self.first, self.last = nn.Conv2d(3, width, 3, padding=1), nn.Conv2d(width, 3, 3, padding=1)
        widths = [width, 2 * width, 4 * width]
        self.down = nn.ModuleList(NormedPair(before, after, 4 * width) for before, after in zip([width, *widths], widths))
        self.mixed = nn.ModuleList([nn.Identity(), *(PixelAttention(w, 4) for w in widths[1:])])
        self.up = nn.ModuleList(NormedPair(2 * w, before, 4 * width) for w, before in zip(widths[::-1], [2 * width, width, width]))

    def forward(self, x, time):
        time, h, kept = self.times(time), self.first(x), []
        for level, (block, mixer) in enumerate(zip(self.down, self.mixed)):
            h = mixer(block(F.avg_pool2d(h, 2) if level else h, time))
            kept.append(h)
        for level, block in enumerate(self.up):
            h = block(torch.cat([h, kept.pop()], 1), time)
            h = F.interpolate(h, scale_factor=2.0) if level < 2 else h
        return self.last(h)


def diffusion():
    batch, size, width = (2, 16, 8) if SMALL else (32, 64, 128)
    model = Diffusion(width)
    return model, adamw(model), F.mse_loss, (torch.randn(batch, 3, size, size), torch.rand(batch, 1), torch.randn(batch, 3, size, size))


class RootNorm(nn.Module):
    """Written out, as such models have it."""

    def __init__(self, width):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, x):
        x32 = x.float()
        return (x32 * torch.rsqrt(x32.pow(2).mean(-1, keepdim=True) + 1e-6)).to(x.dtype) * self.weight


class RotaryLayer(nn.Module):
    """Places are turns of queries and keys; fewer heads for keys; a gate in the products behind."""

    def __init__(self, width, heads, groups, hidden):
        super().__init__()
        self.heads, self.groups, self.size = heads, groups, width // heads
        self.norms = nn.ModuleList([RootNorm(width), RootNorm(width)])
        self.q, self.out = nn.Linear(width, width, bias=False), nn.Linear(width, width, bias=False)
        self.k, self.v = (nn.Linear(width, groups * self.size, bias=False) for _ in range(2))
        self.gate, self.up, self.down = (nn.Linear(*sizes, bias=False) for sizes in ((width, hidden), (width, hidden), (hidden, width)))

    def turned(self, x, cosines, sines):
        left, right = x.chunk(2, -1)
        return x * cosines + torch.cat([-right, left], -1) * sines

    def mixed(self, x, cosines, sines):
        batch, tokens, width = x.shape
        q, k, v = (part(x).view(batch, tokens, -1, self.size).transpose(1, 2) for part in (self.q, self.k, self.v))
        q, k = self.turned(q, cosines, sines).to(v.dtype), self.turned(k, cosines, sines).to(v.dtype)
        k, v = (part.repeat_interleave(self.heads // self.groups, 1) for part in (k, v))
        return self.out(F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).reshape(batch, tokens, width))

    def forward(self, x, cosines, sines):
        x = x + self.mixed(self.norms[0](x), cosines, sines)
        h = self.norms[1](x)
        return x + self.down(F.silu(self.gate(h)) * self.up(h))


class Rotary(nn.Module):
    def __init__(self, vocabulary, tokens, width, heads, groups, hidden, layers):
        super().__init__()
        self.words, self.norm, self.head = nn.Embedding(vocabulary, width), RootNorm(width), nn.Linear(width, vocabulary, bias=False)
        self.layers = nn.ModuleList(RotaryLayer(width, heads, groups, hidden) for _ in range(layers))
        turns = torch.arange(tokens)[:, None] * 10000.0 ** (-torch.arange(0, 1, 2 * heads / width))
        self.register_buffer("cosines", torch.cat([turns, turns], -1).cos())
        self.register_buffer("sines", torch.cat([turns, turns], -1).sin())

    def forward(self, x):
        h = self.words(x)
        for layer in self.layers:
            h = layer(h, self.cosines, self.sines)
        return self.head(self.norm(h)).flatten(0, 1)


def rotary_decoder():
    batch, tokens, vocabulary, sizes = (2, 16, 64, (32, 4, 2, 64, 2)) if SMALL else (4, 1024, 32000, (1024, 16, 4, 2816, 12))
    return text(Rotary(vocabulary, tokens, *sizes), batch, tokens, vocabulary)


def gpt2_medium():
    batch, tokens, vocabulary, width, heads, layers = (2, 16, 64, 32, 2, 2) if SMALL else (4, 1024, 50257, 1024, 16, 24)
    return text(Decoder(vocabulary, tokens, width, heads, layers, fused=True, dropout=0.1), batch, tokens, vocabulary)


class Translator(nn.Module):
    """PyTorch's own encoder and decoder."""

    def __init__(self, vocabulary, width, heads, layers):
        super().__init__()
        self.words, self.head = nn.Embedding(vocabulary, width), nn.Linear(width, vocabulary)
        self.net = nn.Transformer(width, heads, layers, layers, 4 * width, batch_first=True)

    def forward(self, source, target):
        later = torch.ones(target.shape[1], target.shape[1], dtype=torch.bool, device=target.device).triu(1)
        return self.head(self.net(self.words(source), self.words(target), tgt_mask=later, tgt_is_causal=True)).flatten(0, 1)


def translator():
    batch, tokens, vocabulary, width, heads, layers = (2, 16, 64, 32, 2, 2) if SMALL else (64, 128, 16384, 512, 8, 6)
    model = Translator(vocabulary, width, heads, layers)
    return model, adamw(model), F.cross_entropy, (*(torch.randint(0, vocabulary, (batch, tokens)) for _ in range(2)),
                                                  torch.randint(0, vocabulary, (batch * tokens,)))


class MixerLayer(nn.Module):
    """Products over places, then over channels."""

    def __init__(self, tokens, width):
        super().__init__()
        self.norms = nn.ModuleList([nn.LayerNorm(width), nn.LayerNorm(width)])
        self.places, self.channels = (nn.Sequential(nn.Linear(size, hidden), nn.GELU(), nn.Linear(hidden, size))
                                      for size, hidden in ((tokens, width // 2), (width, 4 * width)))

    def forward(self, x):
        x = x + self.places(self.norms[0](x).transpose(1, 2)).transpose(1, 2)
        return x + self.channels(self.norms[1](x))


class Mixer(nn.Module):
    def __init__(self, size, patch, width, layers, classes):
        super().__init__()
        self.patches, self.head = nn.Conv2d(3, width, patch, patch), nn.Linear(width, classes)
        self.layers = nn.Sequential(*(MixerLayer((size // patch) ** 2, width) for _ in range(layers)), nn.LayerNorm(width))

    def forward(self, x):
        return self.head(self.layers(self.patches(x).flatten(2).transpose(1, 2)).mean(1))


def mixer():
    batch, size, width, layers = (2, 32, 16, 2) if SMALL else (64, 224, 768, 12)
    return images(Mixer(size, 16, width, layers, 1000), batch, size, adamw)


class Recommender(nn.Module):
    """Numbers through products, choices through tables, then each multiplied with each."""

    def __init__(self, rows, tables, width):
        super().__init__()
        self.tables = nn.ModuleList(nn.Embedding(rows, width) for _ in range(tables))
        self.numbers = nn.Sequential(nn.Linear(13, 512), nn.ReLU(), nn.Linear(512, 256), nn.ReLU(), nn.Linear(256, width), nn.ReLU())
        pairs = (tables + 1) * tables // 2
        self.top = nn.Sequential(nn.Linear(width + pairs, 1024), nn.ReLU(), nn.Linear(1024, 1024), nn.ReLU(), nn.Linear(1024, 512),
                                 nn.ReLU(), nn.Linear(512, 1))
        self.register_buffer("pairs", torch.tril_indices(tables + 1, tables + 1, -1))

    def forward(self, numbers, choices):
        bottom = self.numbers(numbers)
        all_of_them = torch.stack([bottom, *(table(choices[:, i]) for i, table in enumerate(self.tables))], 1)
        products = torch.bmm(all_of_them, all_of_them.transpose(1, 2))[:, self.pairs[0], self.pairs[1]]
        return self.top(torch.cat([bottom, products], 1)).flatten()


def recommender():
    batch, rows, tables, width = (4, 10, 3, 8) if SMALL else (16384, 20000, 26, 64)
    model = Recommender(rows, tables, width)
    return model, sgd(model), F.binary_cross_entropy_with_logits, (torch.randn(batch, 13), torch.randint(0, rows, (batch, tables)),
                                                                   torch.randint(0, 2, (batch,)).float())


class Wave(nn.Module):
    """Sound in one dimension: gated convolutions that look back farther and farther."""

    def __init__(self, width, skip, layers, classes):
        super().__init__()
        self.first = nn.Conv1d(1, width, 1)
        self.dilated = nn.ModuleList(nn.Conv1d(width, 2 * width, 2, dilation=2 ** (layer % 10)) for layer in range(layers))
        self.onward = nn.ModuleList(nn.Conv1d(width, width + skip, 1) for _ in range(layers))
        self.last = nn.Sequential(nn.ReLU(), nn.Conv1d(skip, skip, 1), nn.ReLU(), nn.Conv1d(skip, classes, 1))
        self.width = width

    def forward(self, x):
        h, skips = self.first(x), 0
        for dilated, onward in zip(self.dilated, self.onward):
            value, gate = dilated(F.pad(h, (dilated.dilation[0], 0))).chunk(2, 1)
            given = onward(torch.tanh(value) * torch.sigmoid(gate))
            h, skips = h + given[:, :self.width], skips + given[:, self.width:]
        return self.last(skips)


def wave():
    batch, length, width, skip, layers, classes = (2, 64, 8, 8, 3, 16) if SMALL else (16, 8192, 128, 256, 20, 256)
    model = Wave(width, skip, layers, classes)
    return model, adamw(model), F.cross_entropy, (torch.randn(batch, 1, length), torch.randint(0, classes, (batch, length)))


class Recurrent(nn.Module):
    def __init__(self, vocabulary, width, layers):
        super().__init__()
        self.words, self.net = nn.Embedding(vocabulary, width), nn.LSTM(width, width, layers, batch_first=True)
        self.head = nn.Linear(width, vocabulary)

    def forward(self, x):
        return self.head(self.net(self.words(x))[0]).flatten(0, 1)


def recurrent():
    batch, tokens, vocabulary, width, layers = (2, 16, 64, 32, 2) if SMALL else (128, 128, 10000, 1024, 2)
    return text(Recurrent(vocabulary, width, layers), batch, tokens, vocabulary)

"""The nets: torchvision's ResNets and ViT-B/16, and a GPT, in torch alone, so that one name is one work wherever it runs."""

import dataclasses
import functools
from typing import Any


@dataclasses.dataclass(frozen=True)
class Net:
    kind: str  # resnet, vit, gpt or linear
    blocks: tuple[int, ...]
    size: int  # of an image's side, or tokens of a sample
    classes: int
    width: int
    rule: str  # sgd or adamw
    rate: float
    bottleneck: bool = False
    patch: int = 16


NETS = {
    "resnet18_224": Net("resnet", (2, 2, 2, 2), 224, 1000, 64, "sgd", 0.01),
    "resnet18_32": Net("resnet", (2, 2, 2, 2), 32, 10, 64, "sgd", 0.01),
    "resnet50": Net("resnet", (3, 4, 6, 3), 224, 1000, 64, "sgd", 0.005, bottleneck=True),
    "vit_b_16": Net("vit", (12,), 224, 1000, 768, "adamw", 1e-4),
    "gpt_12": Net("gpt", (12,), 1024, 50304, 768, "adamw", 1e-4),
    "linear_3_1": Net("linear", (), 3, 1, 1, "sgd", 0.01),
}


def small(net: Net) -> Net:  # for a CPU: two blocks of the first stage, one of each other
    sizes = {"resnet": {"size": 48 if net.size > 64 else 16, "width": 8, "classes": 10}, "vit": {"size": 48, "width": 64, "classes": 10},
             "gpt": {"size": 16, "width": 64, "classes": 128}}
    return dataclasses.replace(net, blocks=tuple(min(n, 1 + (stage == 0)) for stage, n in enumerate(net.blocks)), **sizes.get(net.kind, {}))


def here(on_cpu: bool, name: str, batch: int) -> tuple[Net, int]:  # with fewer samples bf16 alone has other losses in five steps
    return (small(NETS[name]), 16) if on_cpu else (NETS[name], batch)


def _resnet(torch: Any, net: Net) -> Any:
    nn, width, expansion = torch.nn, net.width, 4 if net.bottleneck else 1

    def conv(i: int, o: int, k: int, stride: int = 1) -> Any:
        return nn.Conv2d(i, o, k, stride, k // 2, bias=False)

    class Block(nn.Module):  # type: ignore[misc, name-defined]
        def __init__(self, i: int, planes: int, stride: int) -> None:
            super().__init__()
            o = planes * expansion
            shapes = [(i, planes, 1, 1), (planes, planes, 3, stride), (planes, o, 1, 1)] if net.bottleneck else \
                [(i, planes, 3, stride), (planes, o, 3, 1)]
            self.convs = nn.ModuleList(conv(*shape) for shape in shapes)
            self.norms = nn.ModuleList(nn.BatchNorm2d(shape[1]) for shape in shapes)
            self.relu = nn.ReLU(inplace=True)
            self.shortcut = nn.Sequential(conv(i, o, 1, stride), nn.BatchNorm2d(o)) if stride != 1 or i != o else None

        def forward(self, x: Any) -> Any:
            out = x
            for number, (one, norm) in enumerate(zip(self.convs, self.norms)):
                out = norm(one(out))
                if number + 1 < len(self.convs):
                    out = self.relu(out)
            out += x if self.shortcut is None else self.shortcut(x)
            return self.relu(out)

    large = net.size > 32
    layers = [conv(3, width, 7, 2) if large else conv(3, width, 3), nn.BatchNorm2d(width), nn.ReLU(inplace=True)]
    layers += [nn.MaxPool2d(3, 2, 1)] if large else []
    last = width
    for stage, count in enumerate(net.blocks):
        for number in range(count):
            planes = width << stage
            layers.append(Block(last, planes, 2 if stage > 0 and number == 0 else 1))
            last = planes * expansion
    model = nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(last, net.classes))
    for module in model.modules():
        if isinstance(module, nn.Conv2d):
            nn.init.kaiming_normal_(module.weight, mode="fan_out", nonlinearity="relu")
        if isinstance(module, Block):  # else what autocast rounds grows so fast that no loss can be held
            nn.init.constant_(module.norms[-1].weight, 0.2)
    return model


def _attention(torch: Any, q: Any, k: Any, v: Any, causal: bool) -> Any:  # PyTorch's, from 2.0 on; before, what people wrote
    if hasattr(torch.nn.functional, "scaled_dot_product_attention"):
        return torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=causal)
    n = q.shape[-2]
    later = torch.full((n, n), float("-inf"), device=q.device).triu(1) if causal else 0.0
    return ((q * q.shape[-1] ** -0.5) @ k.transpose(-2, -1) + later).softmax(-1) @ v


def _transformer(torch: Any, net: Net) -> Any:
    nn, width, heads, causal = torch.nn, net.width, max(1, net.width // 64), net.kind == "gpt"
    norm = functools.partial(nn.LayerNorm, width, eps=1e-5 if causal else 1e-6)  # as GPT-2 and torchvision's ViT have it

    class Block(nn.Module):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.norm1, self.qkv, self.out = norm(), nn.Linear(width, 3 * width), nn.Linear(width, width)
            self.norm2, self.up, self.down = norm(), nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

        def forward(self, x: Any) -> Any:
            q, k, v = self.qkv(self.norm1(x)).unflatten(-1, (3, heads, width // heads)).permute(2, 0, 3, 1, 4)
            x = x + self.out(_attention(torch, q, k, v, causal).transpose(1, 2).flatten(2))
            return x + self.down(nn.functional.gelu(self.up(self.norm2(x))))

    class Transformer(nn.Module):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.blocks = nn.Sequential(*(Block() for _ in range(net.blocks[0])))
            self.norm, self.head = norm(), nn.Linear(width, net.classes, bias=not causal)
            places = net.size if causal else (net.size // net.patch) ** 2 + 1
            self.places = nn.Parameter(0.02 * torch.randn(1, places, width))
            if causal:
                self.tokens = nn.Embedding(net.classes, width)
                nn.init.normal_(self.tokens.weight, std=0.02)
                self.head.weight = self.tokens.weight
            else:
                self.patches = nn.Conv2d(3, width, net.patch, net.patch)
                self.first = nn.Parameter(torch.zeros(1, 1, width))

        def forward(self, x: Any) -> Any:
            if causal:
                return self.head(self.norm(self.blocks(self.tokens(x) + self.places))).flatten(0, 1)
            x = self.patches(x).flatten(2).transpose(1, 2)
            x = torch.cat([self.first.expand(x.shape[0], -1, -1), x], 1) + self.places
            return self.head(self.norm(self.blocks(x))[:, 0])

    return Transformer()


@functools.lru_cache(maxsize=8)
def first_model(torch: Any, net: Net, seed: int, device: str = "cpu") -> Any:
    torch.manual_seed(seed)
    makers: dict[str, Any] = {"resnet": _resnet, "linear": lambda torch, net: torch.nn.Linear(net.size, net.classes)}
    return makers.get(net.kind, _transformer)(torch, net).to(device)


@functools.lru_cache(maxsize=4)
def batch_of(torch: Any, net: Net, batch: int, seed: int) -> tuple[Any, Any]:  # images and labels, tokens and those that follow, or numbers
    generator = torch.Generator().manual_seed(seed + 1)
    if net.kind == "linear":
        return tuple(torch.randn(batch, size, generator=generator) for size in (net.size, net.classes))  # type: ignore[return-value]
    if net.kind == "gpt":
        tokens = torch.randint(0, net.classes, (batch, net.size + 1), generator=generator)
        return tokens[:, :-1].contiguous(), tokens[:, 1:].flatten()
    return torch.randn(batch, 3, net.size, net.size, generator=generator), torch.randint(0, net.classes, (batch,), generator=generator)


def optimizer_of(torch: Any, net: Net, model: Any) -> Any:
    numbers = {"momentum": 0.9, "weight_decay": 1e-4} if net.rule == "sgd" else {}
    return (torch.optim.SGD if net.rule == "sgd" else torch.optim.AdamW)(model.parameters(), lr=net.rate, **numbers)

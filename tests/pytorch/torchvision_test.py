"""The nets of the family pytorch are torchvision's: with the same numbers they have the same loss and the same gradients, in double on the
CPU, of an image of 64 x 64, which a transformer of either is made for. torchvision is that of Debian's PyTorch, or of the folder in PYTHONPATH."""

import json
import os
import subprocess
import sys
import unittest

from program import ROOT

PYTHON = "/usr/bin/python3"
FIND = "import importlib.util, sys; sys.exit(importlib.util.find_spec('torchvision') is None)"
BOTH = """
import dataclasses, json
import torch, torchvision
from cupel_pytorch import nets

def places_of_resnet(ours, blocks):
    there = {"0": "conv1", "1": "bn1", str(len(ours) - 1): "fc"}
    names = iter(f"layer{stage + 1}.{number}" for stage, count in enumerate(blocks) for number in range(count))
    for place, block in ((place, block) for place, block in enumerate(ours) if type(block).__name__ == "Block"):
        name = next(names)
        for k in range(len(block.convs)):
            there |= {f"{place}.convs.{k}": f"{name}.conv{k + 1}", f"{place}.norms.{k}": f"{name}.bn{k + 1}"}
        there |= {f"{place}.shortcut.{k}": f"{name}.downsample.{k}" for k in (0, 1)}
    return there

def places_of_vit():
    there = {"patches": "conv_proj", "norm": "encoder.ln", "head": "heads.head"}
    parts = {"norm1": "ln_1", "norm2": "ln_2", "out": "self_attention.out_proj", "up": "mlp.0", "down": "mlp.3"}
    for i in range(12):
        there |= {f"blocks.{i}.{own}": f"encoder.layers.encoder_layer_{i}.{other}" for own, other in parts.items()}
    return there

def named(name, there):
    whole = {"first": "class_token", "places": "encoder.pos_embedding"}
    if name in whole or ".qkv." in name:
        return whole.get(name) or name.replace("blocks.", "encoder.layers.encoder_layer_").replace(".qkv.", ".self_attention.in_proj_")
    module, _, kind = name.rpartition(".")
    return f"{there[module]}.{kind}"

told = {}
for name, theirs, made_for in (("resnet18_224", "resnet18", {}), ("resnet50", "resnet50", {}), ("vit_b_16", "vit_b_16", {"image_size": 64})):
    net = dataclasses.replace(nets.NETS[name], size=64) if made_for else nets.NETS[name]
    ours, theirs = nets.first_model(torch, net, 1).double(), getattr(torchvision.models, theirs)(**made_for).double()
    there = places_of_vit() if name == "vit_b_16" else places_of_resnet(ours, nets.NETS[name].blocks)
    others = dict(theirs.named_parameters())
    with torch.no_grad():
        for key, parameter in ours.named_parameters():
            other = others.pop(named(key, there))
            other.copy_(parameter.reshape(other.shape))
    torch.manual_seed(1)
    x, y = torch.randn(1, 3, 64, 64, dtype=torch.double), torch.tensor([1])
    seen = []
    for model in (ours, theirs):
        loss = torch.nn.functional.cross_entropy(model.train()(x), y)
        loss.backward()
        seen.append([loss.item(), sum(p.grad.square().sum().item() for p in model.parameters())])
    told[name] = {"left": sorted(others), "ours": seen[0], "torchvision's": seen[1]}
print(json.dumps(told))
"""


class Nets(unittest.TestCase):
    def test_are_torchvisions(self):
        ended = subprocess.run([PYTHON, "-B", "-c", BOTH], capture_output=True, text=True, check=False, cwd=ROOT / "bench" / "pytorch")
        self.assertEqual(ended.returncode, 0, ended.stderr)
        told = json.loads(ended.stdout)
        self.assertEqual(set(told), {"resnet18_224", "resnet50", "vit_b_16"})
        for name, one in told.items():
            self.assertEqual(one["left"], [], name)
            for ours, theirs in zip(one["ours"], one["torchvision's"]):
                self.assertAlmostEqual(ours / theirs, 1, delta=1e-9, msg=name)


if __name__ == "__main__":
    if not os.access(PYTHON, os.X_OK) or subprocess.run([PYTHON, "-c", FIND], check=False).returncode:
        print(f"not run: {PYTHON} has no torchvision; on Debian it is python3-torchvision")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1])

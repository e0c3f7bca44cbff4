"""ci/rounded-parts-pytorch without PyTorch: the layers it takes, the ends."""

import unittest

from program import FolderTest, load_script, main

script = load_script("rounded-parts-pytorch")


class Layers(unittest.TestCase):
    def test_are_those_of_the_suite_without_stride(self):
        layers = {name: sizes for name, *sizes in script.layers_without_stride()}

        self.assertEqual(len(layers), 12)
        self.assertEqual(layers["res5_1x1_expand"], [512, 2048, 7])
        self.assertEqual(layers["res4_1x1_reduce"], [1024, 256, 14])
        self.assertNotIn("res4_1x1_shortcut", layers)


class Ends(FolderTest):
    def test_without_pytorch_it_says_so_and_ends_with_2(self):
        self.assertIn("No module named 'torch'", self.run_script(script, code=2))

    def test_without_a_gpu_it_says_so_and_ends_with_2(self):
        torch_is = "class cuda:\n    is_available = staticmethod(lambda: False)"

        self.assertIn("finds no GPU", self.run_script(script, code=2, torch=torch_is))

    def test_of_a_wrong_flag_is_2(self):
        self.run_script(script, "--layer", code=2)


if __name__ == "__main__":
    main()

"""The quick profile has what foretelling asks of convolutions: rows of whole filters, and of those that see few channels."""

import json
import pathlib

import program
from program import ProgramTest, main


class Quick(ProgramTest):
    def test_has_rows_of_depthwise_and_grouped_convolutions(self):
        executables = pathlib.Path(program.CUPEL).resolve().parent.parent / "bench"
        families = json.loads(self.cupel("list", "conv", "--quick", "--format", "json", "--bench-dir", executables, code=0).out)
        names = {row["name"] for family in families for row in family["benchmarks"]}
        for layer in ("res2_3x3", "depthwise_3x3", "grouped_3x3"):
            for precision in ("tf32", "fp16"):
                for layout in ("nchw", "nhwc"):
                    self.assertIn(f"conv/forward/layer:{layer}/precision:{precision}/layout:{layout}/batch:64", names)


if __name__ == "__main__":
    main()

"""cupel, built from the checkout that this recipe lies in."""

import pathlib

from spack_repo.builtin.build_systems.cmake import CMakePackage, generator
from spack_repo.builtin.build_systems.cuda import CudaPackage

from spack.package import *


class Cupel(CMakePackage, CudaPackage):
    """CUDA micro-benchmarks that assay GPU advice: which of it pays here, by how much, and from which size on."""

    git = f"file://{pathlib.Path(__file__).resolve().parents[6]}"

    license("MIT")

    version("main", branch="main")

    variant("cuda", default=True, description="The GPU side: kernels and the GPU families")
    variant("mpi", default=False, when="+cuda", description="Ranks of collective by mpirun and srun, over nodes")

    generator("ninja")

    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("git", type="build")
    depends_on("nlohmann-json@3.10:")
    depends_on("fmt@9:")
    depends_on("cli11@2:")
    depends_on("re2")
    depends_on("zlib-api")
    depends_on("benchmark@1.9:")
    depends_on("libjpeg-turbo")
    depends_on("lmdb")
    depends_on("liburing")
    depends_on("googletest+gmock", type=("build", "test"))
    depends_on("cuda@13:")  # without a GPU side for its headers of Thrust
    depends_on("openblas", type="run")
    with when("+cuda"):
        depends_on("cudnn@9:")
        depends_on("cudnn-frontend")
        depends_on("nccl")
    depends_on("mpi", when="+mpi")

    def cmake_args(self):
        args = [self.define_from_variant("CUPEL_ENABLE_CUDA", "cuda"),
                self.define_from_variant("CUPEL_ENABLE_MPI", "mpi"),
                self.define("CUPEL_BUILD_TESTS", self.run_tests)]
        architectures = [] if "~cuda" in self.spec else self.spec.variants["cuda_arch"].value
        if architectures and architectures[0] != "none":
            args.append(self.define("CMAKE_CUDA_ARCHITECTURES", architectures))
        return args

    def setup_run_environment(self, env):
        """cuBLAS, cuDNN, NCCL and OpenBLAS are loaded by name when first used."""
        for name in ("cuda", "cudnn", "nccl", "openblas"):
            if name in self.spec:
                env.append_path("LD_LIBRARY_PATH", self.spec[name].prefix.lib64)
                env.append_path("LD_LIBRARY_PATH", self.spec[name].prefix.lib)

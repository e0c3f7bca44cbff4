"""The headers of cudnn-frontend, from the wheel that scripts/setup takes them from."""

import platform
import zipfile

from spack_repo.builtin.build_systems.generic import Package

from spack.package import *

# scripts/wheels/cudnn-frontend.lock
RELEASE = "1.32.0"
DIGESTS = {"x86_64": "c6006556017a4d1c914c52a556c71b1267f2d6a0500f742e7b4edef539878df0",
           "aarch64": "15736b7f9eb12ea04bd78ebcc64ae654891ae496d8cb3788e721330ac7b07b9b"}


class CudnnFrontend(Package):
    """C++ over cuDNN's backend: headers only."""

    homepage = "https://github.com/NVIDIA/cudnn-frontend"

    license("MIT")

    machine = platform.machine()
    if machine in DIGESTS:
        version(RELEASE, sha256=DIGESTS[machine], expand=False,
                url="https://pypi.io/packages/cp311/n/nvidia-cudnn-frontend/nvidia_cudnn_frontend-"
                    f"{RELEASE}-cp311-cp311-manylinux_2_27_{machine}.manylinux_2_28_{machine}.whl")

    depends_on("cudnn@9:")

    def install(self, spec, prefix):
        with zipfile.ZipFile(self.stage.archive_file) as wheel:
            wheel.extractall(prefix, [name for name in wheel.namelist() if name.startswith("include/")])

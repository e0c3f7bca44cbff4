set(CUDAToolkit_FOUND TRUE)
set(CUDAToolkit_VERSION 12.8.93)
set(CUDAToolkit_BIN_DIR /opt/cuda-12.8/bin)

// cudnn-frontend looks cuDNN's functions up in the program itself, which stands before some of them: where it would
// give a descriptor a handle, for which there must be a device, the descriptor gets the properties of one.
#include "cupel/vendor/described_device.hpp"

#include <cudnn.h>
#include <dlfcn.h>

#include <cstdint>
#include <exception>
#include <map>
#include <set>

#include "cupel/vendor/cudnn.hpp"
#include "cupel/vendor/handles.hpp"

namespace cudnn_frontend {
extern void* cudnn_dlhandle;
void* cudnn_dlhandle = nullptr;
}  // namespace cudnn_frontend

namespace {

using cupel::vendor::cudnn_library;
using cupel::vendor::Entry;

const Entry<decltype(cudnnBackendCreateDescriptor)> create_descriptor(cudnn_library, "cudnnBackendCreateDescriptor");
const Entry<decltype(cudnnBackendSetAttribute)> set_attribute(cudnn_library, "cudnnBackendSetAttribute");
const Entry<decltype(cudnnBackendGetAttribute)> get_attribute(cudnn_library, "cudnnBackendGetAttribute");
const Entry<decltype(cudnnBackendFinalize)> finalize(cudnn_library, "cudnnBackendFinalize");
const Entry<decltype(cudnnBackendDestroyDescriptor)> destroy_descriptor(cudnn_library, "cudnnBackendDestroyDescriptor");

// As cuDNN writes the properties of a device.
constexpr char kH200[] =
    R"({"deviceVer":900,"driverVer":13000,"cudaDeviceId":0,"totalGlobalMem":150754820096,)"
    R"("maxGridSize":[2147483647,65535,65535],"maxBlockSize":[1024,1024,64],"regsPerBlock":65536,)"
    R"("multiProcessorCount":132,"warpSize":32,"maxSharedMemoryPerBlock":49152,"maxSharedMemoryPerBlockOptin":232448,)"
    R"("reservedSharedMemoryPerBlock":1024,"maxRegistersPerSM":65536,"maxCtasPerSM":32,"maxThreadsPerBlock":1024,)"
    R"("maxThreadsPerSM":2048,"pciDeviceId":0,"isTccDriver":0,"supportCoopLaunch":1,"smClockRateKHz":1980000,)"
    R"("memClockRateKHz":3201000,"l2CacheSize":62914560,"deviceName":"NVIDIA H200"})";

cudnnBackendDescriptor_t device() {
  static const cudnnBackendDescriptor_t described = [] {
    cudnnBackendDescriptor_t made = nullptr;
    cupel::vendor::check(create_descriptor(CUDNN_BACKEND_DEVICEPROP_DESCRIPTOR, &made));
    cupel::vendor::check(set_attribute(made, CUDNN_ATTR_DEVICEPROP_JSON_REPRESENTATION, CUDNN_TYPE_CHAR, sizeof kH200,
                                       static_cast<const void*>(kH200)));
    cupel::vendor::check(finalize(made));
    return made;
  }();
  return described;
}

cudnnStatus_t give_device(cudnnBackendDescriptor_t descriptor, cudnnBackendAttributeName_t attribute) {
  const cudnnBackendDescriptor_t properties = device();
  return set_attribute(descriptor, attribute, CUDNN_TYPE_BACKEND_DESCRIPTOR, std::int64_t{1},
                       static_cast<const void*>(&properties));
}

// Of the descriptors that there are.
std::map<cudnnBackendDescriptor_t, cudnnBackendDescriptorType_t>& types() {
  static auto& known = *new std::map<cudnnBackendDescriptor_t, cudnnBackendDescriptorType_t>;
  return known;
}

// Plans that cuDNN has compiled and could not load.
std::set<cudnnBackendDescriptor_t>& unloaded() {
  static auto& known = *new std::set<cudnnBackendDescriptor_t>;
  return known;
}

cudnnStatus_t finalize_plan(cudnnBackendDescriptor_t descriptor) {
  const cudnnStatus_t status = finalize(descriptor);
  if (status != CUDNN_STATUS_EXECUTION_FAILED_CUDA_DRIVER) return status;
  unloaded().insert(descriptor);
  return CUDNN_STATUS_SUCCESS;
}

}  // namespace

extern "C" {

cudnnStatus_t cudnnBackendCreateDescriptor(cudnnBackendDescriptorType_t type, cudnnBackendDescriptor_t* descriptor) {
  const cudnnStatus_t status = create_descriptor(type, descriptor);
  if (status == CUDNN_STATUS_SUCCESS) types()[*descriptor] = type;
  return status;
}

cudnnStatus_t cudnnBackendSetAttribute(cudnnBackendDescriptor_t descriptor, cudnnBackendAttributeName_t attribute,
                                       cudnnBackendAttributeType_t type, std::int64_t count, const void* values) {
  if (attribute == CUDNN_ATTR_OPERATIONGRAPH_HANDLE) return CUDNN_STATUS_SUCCESS;  // it can do without
  if (attribute == CUDNN_ATTR_EXECUTION_PLAN_HANDLE) {
    return give_device(descriptor, CUDNN_ATTR_EXECUTION_PLAN_DEVICEPROP);
  }
  return set_attribute(descriptor, attribute, type, count, values);
}

cudnnStatus_t cudnnBackendGetAttribute(cudnnBackendDescriptor_t descriptor, cudnnBackendAttributeName_t attribute,
                                       cudnnBackendAttributeType_t type, std::int64_t room, std::int64_t* count,
                                       void* values) {
  if (attribute == CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE && unloaded().contains(descriptor)) {
    *static_cast<std::int64_t*>(values) = 0;
    if (count != nullptr) *count = 1;
    return CUDNN_STATUS_SUCCESS;
  }
  return get_attribute(descriptor, attribute, type, room, count, values);
}

cudnnStatus_t cudnnBackendFinalize(cudnnBackendDescriptor_t descriptor) {
  cudnnStatus_t status = CUDNN_STATUS_SUCCESS;
  switch (types().at(descriptor)) {
    case CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR:
      return finalize_plan(descriptor);
    case CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR:
      status = give_device(descriptor, CUDNN_ATTR_ENGINEHEUR_DEVICEPROP);
      break;
    case CUDNN_BACKEND_ENGINE_DESCRIPTOR:
      status = give_device(descriptor, CUDNN_ATTR_ENGINE_DEVICEPROP);
      break;
    default:
      break;
  }
  return status == CUDNN_STATUS_SUCCESS ? finalize(descriptor) : status;
}

cudnnStatus_t cudnnBackendDestroyDescriptor(cudnnBackendDescriptor_t descriptor) {
  types().erase(descriptor);
  unloaded().erase(descriptor);
  return destroy_descriptor(descriptor);
}

}  // extern "C"

namespace cupel::vendor {

// Stands for the handle that is never given on: no more than an address that is not null.
cudnnHandle_t cudnn_on(cudaStream_t) {
  static char none;
  return reinterpret_cast<cudnnHandle_t>(&none);
}

std::string prepare_described_device() {
  // cuDNN does not look for engines that it compiles at run time without a driver. The toolkit's stub stands for one.
  if (dlopen("libcuda.so.1", RTLD_NOW) == nullptr && dlopen(CUPEL_DRIVER_STUB, RTLD_NOW) == nullptr) {
    return "neither a CUDA driver nor the toolkit's stub of it, " CUPEL_DRIVER_STUB ", is there";
  }
  try {
    require_cudnn();
    // Behind the program itself, so that what is not defined above is found.
    dlopen(cudnn_library().file().c_str(), RTLD_NOW | RTLD_GLOBAL | RTLD_NOLOAD);
    cudnn_frontend::cudnn_dlhandle = dlopen(nullptr, RTLD_NOW);
    device();
  } catch (const std::exception& error) {
    return error.what();
  }
  return {};
}

}  // namespace cupel::vendor

#include "bench/conv/legacy_algorithms.hpp"

#include <array>
#include <map>
#include <utility>

#include "cupel/vendor/cudnn.hpp"
#include "cupel/vendor/handles.hpp"

// This file is about functions that are deprecated.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace cupel::bench::conv {
namespace {

using kernels::dot::Element;
using vendor::check;
using vendor::cudnn_library;
using vendor::CudnnTensor;
using vendor::Entry;

const Entry<decltype(cudnnCreateFilterDescriptor)> create_filter(cudnn_library, "cudnnCreateFilterDescriptor");
const Entry<decltype(cudnnDestroyFilterDescriptor)> destroy_filter(cudnn_library, "cudnnDestroyFilterDescriptor");
const Entry<decltype(cudnnSetFilter4dDescriptor)> set_filter(cudnn_library, "cudnnSetFilter4dDescriptor");
const Entry<decltype(cudnnCreateConvolutionDescriptor)> create_convolution(cudnn_library,
                                                                           "cudnnCreateConvolutionDescriptor");
const Entry<decltype(cudnnDestroyConvolutionDescriptor)> destroy_convolution(cudnn_library,
                                                                             "cudnnDestroyConvolutionDescriptor");
const Entry<decltype(cudnnSetConvolution2dDescriptor)> set_convolution(cudnn_library,
                                                                       "cudnnSetConvolution2dDescriptor");
const Entry<decltype(cudnnSetConvolutionGroupCount)> set_groups(cudnn_library, "cudnnSetConvolutionGroupCount");
const Entry<decltype(cudnnSetConvolutionMathType)> set_math(cudnn_library, "cudnnSetConvolutionMathType");
const Entry<decltype(cudnnGetConvolutionForwardAlgorithm_v7)> guess_forward(cudnn_library,
                                                                            "cudnnGetConvolutionForwardAlgorithm_v7");
const Entry<decltype(cudnnGetConvolutionBackwardDataAlgorithm_v7)> guess_data(
    cudnn_library, "cudnnGetConvolutionBackwardDataAlgorithm_v7");
const Entry<decltype(cudnnGetConvolutionBackwardFilterAlgorithm_v7)> guess_filter(
    cudnn_library, "cudnnGetConvolutionBackwardFilterAlgorithm_v7");
const Entry<decltype(cudnnFindConvolutionForwardAlgorithmEx)> find_forward(cudnn_library,
                                                                           "cudnnFindConvolutionForwardAlgorithmEx");
const Entry<decltype(cudnnFindConvolutionBackwardDataAlgorithmEx)> find_data(
    cudnn_library, "cudnnFindConvolutionBackwardDataAlgorithmEx");
const Entry<decltype(cudnnFindConvolutionBackwardFilterAlgorithmEx)> find_filter(
    cudnn_library, "cudnnFindConvolutionBackwardFilterAlgorithmEx");
const Entry<decltype(cudnnConvolutionForward)> forward(cudnn_library, "cudnnConvolutionForward");
const Entry<decltype(cudnnConvolutionBackwardData)> backward_data(cudnn_library, "cudnnConvolutionBackwardData");
const Entry<decltype(cudnnConvolutionBackwardFilter)> backward_filter(cudnn_library, "cudnnConvolutionBackwardFilter");

constexpr int kMostAlgorithms = 10;  // of any pass; it has 6 to 8
constexpr float kOne = 1, kZero = 0;

cudnnDataType_t type_of(const Problem& problem) {
  const Element element = operand_element(problem.precision);
  switch (element) {
    case Element::fp32:
      return CUDNN_DATA_FLOAT;
    case Element::fp16:
      return CUDNN_DATA_HALF;
    case Element::bf16:
      return CUDNN_DATA_BFLOAT16;
    default:
      throw NotSupported("the interface of before the graphs has no " + std::string(to_string(element)));
  }
}

// CUDNN_DEFAULT_MATH lets fp32 use TF32; CUDNN_FMA_MATH keeps it on the CUDA cores.
cudnnMathType_t math_of(Precision precision) {
  switch (precision) {
    case Precision::fp32:
      return CUDNN_FMA_MATH;
    case Precision::tf32:
      return CUDNN_DEFAULT_MATH;
    default:
      return CUDNN_TENSOR_OP_MATH;
  }
}

const char* name_of(Pass pass, int number) {
  static constexpr std::array<const char*, 8> kForward = {
      "implicit_gemm", "implicit_precomp_gemm", "gemm", "direct", "fft", "fft_tiling", "winograd", "winograd_nonfused"};
  static constexpr std::array<const char*, 6> kData = {"algorithm_0", "algorithm_1", "fft",
                                                       "fft_tiling",  "winograd",    "winograd_nonfused"};
  static constexpr std::array<const char*, 7> kFilter = {"algorithm_0", "algorithm_1",       "fft",       "algorithm_3",
                                                         "winograd",    "winograd_nonfused", "fft_tiling"};
  const auto at = [number](const auto& names) {
    return number >= 0 && number < static_cast<int>(names.size()) ? names[static_cast<std::size_t>(number)] : "unknown";
  };
  switch (pass) {
    case Pass::forward:
      return at(kForward);
    case Pass::backward_data:
      return at(kData);
    case Pass::backward_filter:
      break;
  }
  return at(kFilter);
}

// An algorithm may be proposed with several.
const char* name_of(cudnnMathType_t math) {
  switch (math) {
    case CUDNN_TENSOR_OP_MATH:
      return "_tensor_op";
    case CUDNN_TENSOR_OP_MATH_ALLOW_CONVERSION:
      return "_tensor_op_allow_conversion";
    case CUDNN_FMA_MATH:
      return "_fma";
    default:
      return "";
  }
}

int narrow(std::int64_t value) {
  if (value != static_cast<int>(value)) throw NotSupported("a size does not fit the interface of before the graphs");
  return static_cast<int>(value);
}

cudnnTensorFormat_t format_of(const Problem& problem) {
  return problem.layout == Layout::channels_first ? CUDNN_TENSOR_NCHW : CUDNN_TENSOR_NHWC;
}

CudnnTensor tensor(const Problem& problem, std::int64_t channels, const kernels::dot::Spatial& space) {
  return {format_of(problem), type_of(problem), narrow(problem.shape.batch),
          narrow(channels),   narrow(space[1]), narrow(space[2])};
}

const Problem& of_planes(const Problem& problem) {
  const Convolution& shape = problem.shape;
  if (shape.in[0] > 1 || shape.filter[0] > 1) throw NotSupported("only planes are measured with this interface");
  return problem;
}

template <class Performance>
std::vector<Algorithm> listed(const Problem& problem, const std::array<Performance, kMostAlgorithms>& found,
                              int count) {
  std::vector<Algorithm> algorithms;
  for (int i = 0; i < count; ++i) {
    const Performance& entry = found[static_cast<std::size_t>(i)];
    if (entry.status != CUDNN_STATUS_SUCCESS) continue;
    Algorithm algorithm;
    algorithm.number = static_cast<int>(entry.algo);
    algorithm.math = static_cast<int>(entry.mathType);
    const std::string name = name_of(problem.pass, algorithm.number);
    algorithm.name = name + name_of(entry.mathType);
    algorithm.time_s = entry.time > 0 ? static_cast<double>(entry.time) * 1e-3 : 0;
    algorithm.workspace_bytes = static_cast<std::int64_t>(entry.memory);
    algorithm.notes.deterministic = entry.determinism == CUDNN_DETERMINISTIC;
    algorithm.notes.tensor_cores = entry.mathType != CUDNN_FMA_MATH && problem.precision != Precision::fp32;
    algorithm.notes.winograd = name.starts_with("winograd");
    algorithm.notes.fft = name.starts_with("fft");
    algorithms.push_back(std::move(algorithm));
  }
  if (algorithms.empty()) throw NotSupported("cuDNN proposes none of the algorithms of before the graphs");
  return algorithms;
}

}  // namespace

struct LegacyConvolution::Parts {
  explicit Parts(const Problem& of)
      : problem(of_planes(of)),
        input(tensor(of, of.shape.in_channels, of.shape.in)),
        output(tensor(of, of.shape.out_channels, of.shape.out())) {
    const Convolution& shape = problem.shape;
    cudnnFilterDescriptor_t of_filter = nullptr;
    check(create_filter(&of_filter));
    filter.reset(of_filter);
    check(set_filter(of_filter, type_of(problem), format_of(problem), narrow(shape.out_channels),
                     narrow(shape.in_channels / shape.groups), narrow(shape.filter[1]), narrow(shape.filter[2])));

    cudnnConvolutionDescriptor_t of_convolution = nullptr;
    check(create_convolution(&of_convolution));
    convolution.reset(of_convolution);
    check(set_convolution(of_convolution, narrow(shape.padding[1]), narrow(shape.padding[2]), narrow(shape.stride[1]),
                          narrow(shape.stride[2]), narrow(shape.dilation[1]), narrow(shape.dilation[2]),
                          CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT));
    check(set_groups(of_convolution, narrow(shape.groups)));
    check(set_math(of_convolution, math_of(problem.precision)));
  }

  Problem problem;
  CudnnTensor input, output;
  vendor::Owned<cudnnFilterDescriptor_t, destroy_filter> filter;
  vendor::Owned<cudnnConvolutionDescriptor_t, destroy_convolution> convolution;
};

LegacyConvolution::LegacyConvolution(const Problem& problem) : parts_(std::make_unique<Parts>(problem)) {}
LegacyConvolution::~LegacyConvolution() = default;

std::vector<Algorithm> LegacyConvolution::guess() const {
  const Parts& p = *parts_;
  const cudnnHandle_t cudnn = vendor::cudnn_on(nullptr);
  int count = 0;
  if (p.problem.pass == Pass::forward) {
    std::array<cudnnConvolutionFwdAlgoPerf_t, kMostAlgorithms> found{};
    check(guess_forward(cudnn, p.input.get(), p.filter.get(), p.convolution.get(), p.output.get(), kMostAlgorithms,
                        &count, found.data()));
    return listed(p.problem, found, count);
  }
  if (p.problem.pass == Pass::backward_data) {
    std::array<cudnnConvolutionBwdDataAlgoPerf_t, kMostAlgorithms> found{};
    check(guess_data(cudnn, p.filter.get(), p.output.get(), p.convolution.get(), p.input.get(), kMostAlgorithms, &count,
                     found.data()));
    return listed(p.problem, found, count);
  }
  std::array<cudnnConvolutionBwdFilterAlgoPerf_t, kMostAlgorithms> found{};
  check(guess_filter(cudnn, p.input.get(), p.output.get(), p.convolution.get(), p.filter.get(), kMostAlgorithms, &count,
                     found.data()));
  return listed(p.problem, found, count);
}

std::vector<Algorithm> LegacyConvolution::find(const Tensors& at, void* workspace, std::int64_t workspace_bytes) const {
  const Parts& p = *parts_;
  const cudnnHandle_t cudnn = vendor::cudnn_on(nullptr);
  const auto bytes = static_cast<std::size_t>(workspace_bytes);
  int count = 0;
  if (p.problem.pass == Pass::forward) {
    std::array<cudnnConvolutionFwdAlgoPerf_t, kMostAlgorithms> found{};
    check(find_forward(cudnn, p.input.get(), at.input, p.filter.get(), at.filter, p.convolution.get(), p.output.get(),
                       at.output, kMostAlgorithms, &count, found.data(), workspace, bytes));
    return listed(p.problem, found, count);
  }
  if (p.problem.pass == Pass::backward_data) {
    std::array<cudnnConvolutionBwdDataAlgoPerf_t, kMostAlgorithms> found{};
    check(find_data(cudnn, p.filter.get(), at.filter, p.output.get(), at.output, p.convolution.get(), p.input.get(),
                    at.input, kMostAlgorithms, &count, found.data(), workspace, bytes));
    return listed(p.problem, found, count);
  }
  std::array<cudnnConvolutionBwdFilterAlgoPerf_t, kMostAlgorithms> found{};
  check(find_filter(cudnn, p.input.get(), at.input, p.output.get(), at.output, p.convolution.get(), p.filter.get(),
                    at.filter, kMostAlgorithms, &count, found.data(), workspace, bytes));
  return listed(p.problem, found, count);
}

void LegacyConvolution::execute(const Algorithm& algorithm, const Tensors& at, void* workspace,
                                cudaStream_t stream) const {
  const Parts& p = *parts_;
  const cudnnHandle_t cudnn = vendor::cudnn_on(stream);
  const auto bytes = static_cast<std::size_t>(algorithm.workspace_bytes);
  // As it was ranked: with another math type it is another kernel, which may want more workspace.
  check(set_math(p.convolution.get(), static_cast<cudnnMathType_t>(algorithm.math)));
  const void *one = &kOne, *zero = &kZero;
  switch (p.problem.pass) {
    case Pass::forward:
      check(forward(cudnn, one, p.input.get(), at.input, p.filter.get(), at.filter, p.convolution.get(),
                    static_cast<cudnnConvolutionFwdAlgo_t>(algorithm.number), workspace, bytes, zero, p.output.get(),
                    at.output));
      break;
    case Pass::backward_data:
      check(backward_data(cudnn, one, p.filter.get(), at.filter, p.output.get(), at.output, p.convolution.get(),
                          static_cast<cudnnConvolutionBwdDataAlgo_t>(algorithm.number), workspace, bytes, zero,
                          p.input.get(), at.input));
      break;
    case Pass::backward_filter:
      check(backward_filter(cudnn, one, p.input.get(), at.input, p.output.get(), at.output, p.convolution.get(),
                            static_cast<cudnnConvolutionBwdFilterAlgo_t>(algorithm.number), workspace, bytes, zero,
                            p.filter.get(), at.filter));
      break;
  }
}

}  // namespace cupel::bench::conv

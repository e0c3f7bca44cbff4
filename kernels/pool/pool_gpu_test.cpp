#include "kernels/pool/pool.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "kernels/common/test_arrays.hpp"
#include "kernels/pool/reference.hpp"

namespace cupel::kernels::pool {
namespace {

using test::Array;
using test::expect_close;
using test::random_integers;
using test::refusal;
using test::stored_as;
using test::Values;

constexpr DType kTypes[] = {DType::fp32, DType::fp16, DType::bf16};

// Overlapping windows with padding, single elements, and as many channels as packs have, or one more.
std::vector<Windows> shapes() {
  std::vector<Windows> all;
  for (const bool last : {false, true}) {
    for (const std::int64_t channels : {1, 8, 9, 16}) {
      all.push_back({{2, channels, 7, 9, last}, 3, 2, 1});
      all.push_back({{1, channels, 5, 5, last}, 2, 2, 0});
      all.push_back({{3, channels, 1, 1, last}, 1, 1, 0});
      all.push_back({{1, channels, 6, 4, last}, 3, 1, 1});
    }
  }
  return all;
}

std::string text(DType type, const Windows& w) {
  return std::string(to_string(type)) + " " + std::to_string(w.in.channels) + " channels " +
         (w.in.channels_last ? "last" : "first") + ", window " + std::to_string(w.window);
}

// Few different numbers, so that many windows have several of the largest; sums of them are exact in every type.
TEST(MaxPool, AndItsGradientAreTheReferencesToTheBit) {
  const cuda::Stream stream;
  for (const DType type : kTypes) {
    for (const Windows& w : shapes()) {
      const auto count = static_cast<std::size_t>(w.out().count());
      const Values in = random_integers(w.in.count(), 1, -3, 3), d_out = random_integers(w.out().count(), 2, -4, 4);
      Values expected(count), expected_gradient(in.size());
      std::vector<std::uint8_t> place(count);
      reference::max_pool(in, expected, place, w);
      reference::max_pool_backward(d_out, place, expected_gradient, w);
      const Array device_in(type, in), device_d_out(type, d_out);
      Array out(type, w.out().count()), d_in(type, w.in.count());
      cuda::DeviceBuffer<std::uint8_t> device_place(count);

      max_pool(type, device_in.data(), out.data(), device_place.data(), w, stream);
      max_pool_backward(type, device_d_out.data(), device_place.data(), d_in.data(), w, stream);
      stream.synchronize();

      SCOPED_TRACE(text(type, w));
      expect_close(expected, out.get());
      EXPECT_EQ(device_place.to_host(), place);
      expect_close(expected_gradient, d_in.get());
    }
  }
}

TEST(MeanPool, AndItsGradientAreTheReferences) {
  const cuda::Stream stream;
  for (const DType type : kTypes) {
    for (const Windows& w : shapes()) {
      const Planes& planes = w.in;
      const std::int64_t outs = planes.images * planes.channels;
      const Values in = test::random_values(type, planes.count(), 1), d_out = test::random_values(type, outs, 2);
      Values expected(static_cast<std::size_t>(outs)), expected_gradient(in.size());
      reference::mean_pool(in, expected, planes);
      reference::mean_pool_backward(d_out, expected_gradient, planes);
      const Array device_in(type, in), device_d_out(type, d_out);
      Array out(type, outs), d_in(type, planes.count());

      mean_pool(type, device_in.data(), out.data(), planes, stream);
      mean_pool_backward(type, device_d_out.data(), d_in.data(), planes, stream);
      stream.synchronize();

      SCOPED_TRACE(text(type, w));
      // A sum of at most 63 numbers below 2, and a division.
      expect_close(expected, out.get(), stored_as(type, 65, 2));
      expect_close(expected_gradient, d_in.get(), stored_as(type, 2, 2));
    }
  }
}

TEST(MaxPool, RefusesWhatItCannotDo) {
  const auto call = [](const Windows& w) { max_pool(DType::fp32, nullptr, nullptr, nullptr, w, nullptr); };
  const Planes none{.images = 0, .height = 4, .width = 4};

  EXPECT_NO_THROW(call({none, 2, 2, 0}));
  EXPECT_EQ(refusal([&] { call({none, 16, 2, 0}); }), "max_pool: window must be 1 to 15");
  EXPECT_EQ(refusal([&] { call({none, 2, 2, 2}); }), "max_pool: padding must be at most half a window");
  EXPECT_EQ(refusal([&] { call({none, 5, 2, 0}); }), "max_pool: window must be within the padded plane");
}

}  // namespace
}  // namespace cupel::kernels::pool

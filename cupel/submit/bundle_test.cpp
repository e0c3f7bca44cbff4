#include "cupel/submit/bundle.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "cupel/files/gzip.hpp"
#include "cupel/files/input_file.hpp"
#include "cupel/files/output_file.hpp"
#include "cupel/files/sha256.hpp"

namespace cupel::submit {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class Bundle : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(::testing::TempDir()) / ::testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::remove_all(folder_);
    write_bundle(folder_, {{"gemm.json.gz", "products"}, {"conv.json.gz", "convolutions"}});
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string sums() const { return files::read_file(folder_ / kSums); }
  void write_sums(const std::string& text) const { files::write_file(folder_ / kSums, text); }

  // A file with its right hash, under whatever name the list gives it.
  void add(const std::string& name, const std::string& bytes) const {
    std::ofstream(folder_ / name, std::ios::binary) << bytes;
    write_sums(sums() + files::sha256(bytes) + "  " + name + "\n");
  }

  std::string refusal() const {
    try {
      read_bundle(folder_);
      return "taken";
    } catch (const files::ReadError& error) {
      return error.what();
    }
  }

  fs::path folder_;
};

TEST_F(Bundle, IsReadAsItWasWritten) {
  const std::vector<BundleFile> files = read_bundle(folder_);

  ASSERT_EQ(files.size(), 2U);
  EXPECT_EQ(files[0].name, "conv.json.gz");
  EXPECT_EQ(files[0].text, "convolutions");
  EXPECT_EQ(files[1].text, "products");
}

TEST_F(Bundle, IsWrittenToANewFolderAlone) {
  EXPECT_THROW(write_bundle(folder_, {{"gemm.json.gz", "products"}}), files::WriteError);
}

TEST_F(Bundle, IsNotWrittenWithOneNameTwiceOrAnyOtherName) {
  EXPECT_THROW(write_bundle(folder_ / "new", {{"a.json.gz", "1"}, {"a.json.gz", "2"}}), std::invalid_argument);
  EXPECT_THROW(write_bundle(folder_ / "new", {{"../a.json.gz", "1"}}), std::invalid_argument);
}

TEST_F(Bundle, IsRefusedWithANameThatLeadsOut) {
  for (const char* name : {"../gemm.json.gz", "/etc/passwd.json.gz", "sub/gemm.json.gz", "..json.gz\\x", ".json.gz",
                           "GEMM.json.gz", "gemm.json", "gem m.json.gz", "g\tm.json.gz"}) {
    write_sums(files::sha256("x") + "  " + name + "\n");
    EXPECT_THAT(refusal(), HasSubstr("is no name of a packed result")) << name;
  }
}

TEST_F(Bundle, IsRefusedWithALink) {
  fs::remove(folder_ / "gemm.json.gz");
  fs::create_symlink(folder_ / "conv.json.gz", folder_ / "gemm.json.gz");
  EXPECT_THAT(refusal(), HasSubstr("gemm.json.gz: is not a plain file"));
}

TEST_F(Bundle, IsRefusedWithALinkInPlaceOfItsListOrItself) {
  const fs::path link = folder_.string() + "-link";
  fs::remove(link);
  fs::create_directory_symlink(folder_, link);
  EXPECT_THROW(read_bundle(link), files::ReadError);
  fs::remove(link);
  fs::rename(folder_ / kSums, folder_.string() + "-sums");
  fs::create_symlink(folder_.string() + "-sums", folder_ / kSums);
  EXPECT_THAT(refusal(), HasSubstr("SHA256SUMS: is not a plain file"));
  fs::remove(folder_.string() + "-sums");
}

TEST_F(Bundle, IsRefusedWithAFolderInIt) {
  fs::create_directory(folder_ / "more");
  EXPECT_THAT(refusal(), HasSubstr("more: is not a plain file"));
}

TEST_F(Bundle, IsRefusedWithAPipeThatWouldBeReadForEver) {
  for (const std::string& name : {std::string("gemm.json.gz"), std::string(kSums)}) {
    fs::remove(folder_ / name);
    ASSERT_EQ(mkfifo((folder_ / name).c_str(), 0600), 0);
    EXPECT_THAT(refusal(), HasSubstr(name + ": is not a plain file"));
  }
}

TEST_F(Bundle, IsRefusedWithALongListOrName) {
  write_sums(files::sha256("x") + "  " + std::string(100, 'a') + ".json.gz\n");
  EXPECT_THAT(refusal(), HasSubstr("is no name of a packed result"));
  write_sums(std::string(1 << 20, '\n'));
  EXPECT_THAT(refusal(), HasSubstr("larger than"));
}

TEST_F(Bundle, IsRefusedWithAFileThatIsLargeWithoutBeingUnpacked) {
  std::ofstream(folder_ / "gemm.json.gz") << "";
  fs::resize_file(folder_ / "gemm.json.gz", static_cast<std::uintmax_t>(1) << 40);  // a hole: no disk is filled
  EXPECT_THAT(refusal(), HasSubstr("larger than 64 MiB"));
}

TEST_F(Bundle, IsRefusedWithABombOfTwoMembers) {
  const std::string half(static_cast<std::size_t>(kLargestResult) / 2 + 1, ' ');
  add("bomb.json.gz", files::gzipped(half) + files::gzipped(half));
  EXPECT_THAT(refusal(), HasSubstr("bomb.json.gz"));
}

TEST_F(Bundle, IsRefusedWithMoreBehindThePackedFile) {
  add("more.json.gz", files::gzipped("a result") + "more");
  EXPECT_THAT(refusal(), HasSubstr("more.json.gz"));
}

TEST_F(Bundle, IsRefusedWithAFileThatItDoesNotName) {
  std::ofstream(folder_ / ".hidden") << "x";
  EXPECT_THAT(refusal(), HasSubstr(".hidden: is not in SHA256SUMS"));
}

TEST_F(Bundle, IsRefusedWithoutAFileThatItNames) {
  fs::remove(folder_ / "gemm.json.gz");
  EXPECT_THAT(refusal(), HasSubstr("gemm.json.gz: is missing"));
}

TEST_F(Bundle, IsRefusedWithANameTwice) {
  write_sums(sums() + sums());
  EXPECT_THAT(refusal(), HasSubstr("names conv.json.gz twice"));
}

TEST_F(Bundle, IsRefusedWithAnotherHash) {
  std::ofstream(folder_ / "gemm.json.gz", std::ios::binary) << files::gzipped("edited");
  EXPECT_THAT(refusal(), HasSubstr("gemm.json.gz: is not the file of SHA256SUMS"));
}

TEST_F(Bundle, IsRefusedWithAListThatIsNone) {
  for (const char* text : {"", "\n", "gemm.json.gz\n", "abc  gemm.json.gz\n"}) {
    write_sums(text);
    EXPECT_THAT(refusal(), HasSubstr(kSums)) << text;
  }
  fs::remove(folder_ / kSums);
  EXPECT_THAT(refusal(), HasSubstr("SHA256SUMS: there is no such file of a bundle"));
}

TEST_F(Bundle, IsRefusedWithMoreFilesThanAnyResultHas) {
  std::string all;
  for (std::size_t i = 0; i <= kMostFiles; ++i) all += files::sha256("x") + "  f" + std::to_string(i) + ".json.gz\n";
  write_sums(all);
  EXPECT_THAT(refusal(), HasSubstr("names more than 100 files"));
}

TEST_F(Bundle, IsRefusedWithAFileThatIsCutShort) {
  const std::string packed = files::gzipped("a result that is long enough to be cut");
  add("cut.json.gz", packed.substr(0, packed.size() - 4));
  EXPECT_THAT(refusal(), HasSubstr("the file was cut off"));
}

TEST_F(Bundle, IsRefusedWithABomb) {
  add("bomb.json.gz", files::gzipped(std::string(static_cast<std::size_t>(kLargestResult) + 1, ' ')));
  ASSERT_LT(fs::file_size(folder_ / "bomb.json.gz"), 100000U);
  EXPECT_THAT(refusal(), HasSubstr("larger than 64 MiB"));
}

TEST_F(Bundle, IsRefusedWhereItIsNoFolder) {
  EXPECT_THROW(read_bundle(folder_ / "gemm.json.gz"), files::ReadError);
  EXPECT_THROW(read_bundle(folder_ / "nowhere"), files::ReadError);
}

}  // namespace
}  // namespace cupel::submit

# Writes the texts of all rule folders as one C++ file: cmake -DFOLDER=lib/rules -DOUTPUT=FILE -P rule_texts.cmake
# A script of CMake, so that nothing has to be built or installed first; cross-compiling needs nothing more either. Each byte is
# written as an escape, as examples may hold any byte.
function(read_as_literal file result)
  file(READ "${file}" bytes HEX)
  string(LENGTH "${bytes}" digit_count)
  math(EXPR byte_count "${digit_count} / 2")
  string(REGEX REPLACE "(..)" "\\\\x\\1" bytes "${bytes}")
  set(${result} "{\"${bytes}\", ${byte_count}}" PARENT_SCOPE)
endfunction()

# The files of one example, as rows of an array; their paths are those inside its folder.
function(read_example folder result)
  file(GLOB_RECURSE paths RELATIVE "${folder}" "${folder}/*")
  list(SORT paths)
  set(rows "")
  foreach(path IN LISTS paths)
    read_as_literal("${folder}/${path}" text)
    string(APPEND rows "    {\"${path}\", ${text}},\n")
  endforeach()
  set(${result} "${rows}" PARENT_SCOPE)
endfunction()

file(GLOB folders RELATIVE "${FOLDER}" "${FOLDER}/[A-Z][A-Z][A-Z][0-9][0-9][0-9]-*")
list(SORT folders)
set(files "")
set(rules "")
set(file_count 0)
foreach(folder IN LISTS folders)
  read_as_literal("${FOLDER}/${folder}/why.md" why)
  set(row "    {\"${folder}\", ${why}")
  foreach(example bad good)
    read_example("${FOLDER}/${folder}/${example}" rows)
    string(APPEND files "${rows}")
    string(REGEX MATCHALL "\n" ends "${rows}")
    list(LENGTH ends count)
    string(APPEND row ", kAllFiles.subspan(${file_count}, ${count})")
    math(EXPR file_count "${file_count} + ${count}")
  endforeach()
  string(APPEND rules "${row}},\n")
endforeach()

file(WRITE "${OUTPUT}.new" "// Made by rule_texts.cmake of the folders in lib/rules.
#include \"rules/rule_texts.h\"

namespace espalier::rules {
namespace {

constexpr ExampleFile kFiles[] = {
${files}};

constexpr std::span<const ExampleFile> kAllFiles = kFiles;

constexpr RuleTexts kTexts[] = {
${rules}};

}  // namespace

std::span<const RuleTexts> rule_texts() { return kTexts; }

}  // namespace espalier::rules
")
file(RENAME "${OUTPUT}.new" "${OUTPUT}")

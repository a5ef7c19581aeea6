// Where the project's sources lie, for tests that read its own files.
#pragma once
#include <filesystem>

std::filesystem::path source_folder();

// The folder of the project's sources, for tests that read its files.
#pragma once
#include <filesystem>

std::filesystem::path source_folder();

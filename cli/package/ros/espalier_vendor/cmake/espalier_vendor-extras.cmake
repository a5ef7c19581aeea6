find_package(espalier 1.0 QUIET REQUIRED)

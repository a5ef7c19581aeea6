local first = unpack({1, 2})

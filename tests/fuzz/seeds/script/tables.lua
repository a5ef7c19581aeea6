local t = setmetatable({}, {__index = function(t, k) return k end, __len = function() return 9 end})
for k, v in pairs({1, x = 2}) do t[k] = v end
table.insert(t, 1) table.sort(t, function(a, b) return a > b end)
return #table.concat(t, ",") > 0 and select("#", table.unpack(t))
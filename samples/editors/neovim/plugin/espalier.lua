-- Neovim: starts `espalier lsp` for trees, traces, properties and espalier.json.
if vim.g.loaded_espalier then return end
vim.g.loaded_espalier = true

local client = nil

-- The folder of espalier.json, or else of the ROS package.
local function folder_of(file)
  for _, name in ipairs({ 'espalier.json', 'package.xml' }) do
    local found = vim.fn.findfile(name, vim.fn.fnamemodify(file, ':p:h') .. ';')
    if found ~= '' then return vim.fn.fnamemodify(found, ':p:h') end
  end
  return vim.fn.fnamemodify(file, ':p:h')
end

-- One server for all files: it finds the project of each.
local function attach(event)
  local options = {
    name = 'espalier',
    cmd = vim.g.espalier_command or { 'espalier', 'lsp' },
    root_dir = folder_of(event.file),
    on_exit = function() client = nil end,
  }
  if vim.lsp.start then -- 0.8
    vim.lsp.start(options, { bufnr = event.buf, reuse_client = function(running) return running.name == 'espalier' end })
    return
  end
  if client == nil or vim.lsp.get_client_by_id(client) == nil then client = vim.lsp.start_client(options) end
  if client ~= nil then vim.lsp.buf_attach_client(event.buf, client) end
end

vim.api.nvim_create_autocmd({ 'BufReadPost', 'BufNewFile' }, {
  pattern = { '*.xml', '*.debt', '*.trace.jsonl', '*.properties.json', 'espalier.json' },
  callback = attach,
})

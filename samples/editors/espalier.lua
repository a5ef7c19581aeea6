-- Neovim: starts `espalier lsp` for trees, traces, properties and espalier.json.
local command = vim.g.espalier_command or { 'espalier', 'lsp' }
local client = nil

local function folder_of(file)
  local found = vim.fn.findfile('espalier.json', vim.fn.fnamemodify(file, ':p:h') .. ';')
  return vim.fn.fnamemodify(found ~= '' and found or file, ':p:h')
end

local function attach(event)
  if client == nil or vim.lsp.get_client_by_id(client) == nil then
    client = vim.lsp.start_client({
      name = 'espalier',
      cmd = command,
      root_dir = folder_of(event.file),
      on_exit = function() client = nil end,
    })
  end
  if client ~= nil then vim.lsp.buf_attach_client(event.buf, client) end
end

vim.api.nvim_create_autocmd({ 'BufReadPost', 'BufNewFile' }, {
  pattern = { '*.xml', '*.debt', '*.trace.jsonl', '*.properties.json', 'espalier.json' },
  callback = attach,
})

;;; espalier.el --- Behaviour trees with `espalier lsp' -*- lexical-binding: t -*-

;; Version: 1.0.0
;; Package-Requires: ((emacs "28.1") (eglot "1.9"))
;; Keywords: languages, tools
;; SPDX-License-Identifier: MIT

;;; Commentary:

;; Starts the language server `espalier lsp' by eglot for trees, traces and
;; properties, in projects that have an espalier.json.  In others,
;; `M-x eglot' starts it.

;;; Code:

(declare-function eglot-ensure "eglot")
(defvar eglot-server-programs)

;;;###autoload
(define-derived-mode espalier-json-mode js-mode "Espalier"
  "Traces, properties and espalier.json.")
(put 'espalier-json-mode 'eglot-language-id "json")

;;;###autoload
(dolist (entry '(("\\.debt\\'" . nxml-mode)
                 ("\\.trace\\.jsonl\\'" . espalier-json-mode)
                 ("\\.properties\\.json\\'" . espalier-json-mode)
                 ("/espalier\\.json\\'" . espalier-json-mode)))
  (add-to-list 'auto-mode-alist entry))
;;;###autoload
(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs '((nxml-mode espalier-json-mode) . ("espalier" "lsp"))))

;;;###autoload
(defun espalier-maybe-start ()
  "Start the language server in projects that have an espalier.json."
  (when (and buffer-file-name (locate-dominating-file buffer-file-name "espalier.json"))
    (eglot-ensure)))

;;;###autoload
(add-hook 'nxml-mode-hook #'espalier-maybe-start)
;;;###autoload
(add-hook 'espalier-json-mode-hook #'espalier-maybe-start)

(provide 'espalier)
;;; espalier.el ends here

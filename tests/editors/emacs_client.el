;;; emacs_client.el --- asks the language server by Emacs' eglot -*- lexical-binding: t -*-
;; tests/editors/editors.py runs it in the folder of samples/guard, with the package of samples/editors/emacs.
(require 'flymake)
(require 'cl-lib)
(require 'eglot)

(defvar faults '())
(defun expect (is-so what)
  "Note WHAT as a fault unless IS-SO."
  (unless is-so (push what faults)))
(defun wait (what condition)
  "Wait until CONDITION gives something, and note WHAT as a fault if that takes too long."
  (let ((until (+ (float-time) 20)))
    (while (and (not (funcall condition)) (< (float-time) until))
      (accept-process-output nil 0.05))
    (expect (funcall condition) what)))
(defun messages ()
  "The texts of the buffer's diagnostics."
  (mapcar #'flymake-diagnostic-text (flymake-diagnostics)))

(find-file "intruder.trace.jsonl")
(expect (eq major-mode 'espalier-json-mode) "the mode of a trace")
(find-file "guard.xml")
(expect (eq major-mode 'nxml-mode) "the mode of a tree")
(expect (memq #'espalier-maybe-start nxml-mode-hook) "the hook")
(apply #'eglot (eglot--guess-contact))
(wait "the client starts" #'eglot-current-server)
(goto-char (point-min))
(search-forward "condition=\"Alerted")
(let* ((place (eglot--TextDocumentPositionParams))
       (server (eglot-current-server))
       (hover (jsonrpc-request server :textDocument/hover place)))
  (expect (string-match-p "set by" (plist-get (plist-get hover :contents) :value)) "hover")
  (expect (= 1 (length (jsonrpc-request server :textDocument/definition place))) "definition"))
(backward-delete-char 2)
(insert "d")
(eglot--signal-textDocument/didChange)
(flymake-start)
(wait "a diagnostic" (lambda () (cl-some (lambda (text) (string-match-p "unknown variable 'Alertd'" text)) (messages))))
(delete-char -1)
(insert "ed")
(eglot--signal-textDocument/didChange)
(wait "no diagnostic" (lambda () (null (messages))))

(dolist (fault faults) (message "FAILED: %s" fault))
(unless faults (message "Emacs: all answers hold"))
(set-buffer-modified-p nil)
(kill-emacs (if faults 1 0))
;;; emacs_client.el ends here

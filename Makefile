# Each target does all the set-up that it needs. ARGS goes to the command, as in `make demo ARGS=--exit`.
.PHONY: demo test test-all check up image bench lock

demo:     ; @setup/python && exec .venv/bin/studio demo $(ARGS)
test:     ; @setup/python dev && .venv/bin/studio image build && exec .venv/bin/pytest -n auto --dist loadfile -m "not slow and not thorough" $(ARGS)
test-all: ; @setup/python dev && .venv/bin/studio image build && exec .venv/bin/pytest -n auto --dist loadfile $(ARGS)
check:    ; @setup/python dev && exec setup/check
up:       ; @setup/python && exec .venv/bin/studio up $(ARGS)
image:    ; @setup/python && exec .venv/bin/studio image build $(ARGS)
bench:    ; @setup/python && exec .venv/bin/studio bench sandbox $(ARGS)
lock:     ; @setup/python dev && exec setup/lock

# run    make everything that is missing, then serve the page and the tables on PORT (default 8080)
# test   every test of both languages; the last line counts them
# check  style, types, the direction of imports, generated files
# gen    write the generated files again
# bench  measure the server on this machine in under ten minutes, and compare with the last recorded run;
#        bench-record keeps the run in bench/RESULTS.md; bench-table and bench-scene measure bots and the 3D table;
#        bench-history measures rounds on top of ten million bets
# crash  kill a server at every crash point, 64 times each
# fuzz   ask the API and the sockets of a server at random, for some minutes
# lock   write requirements*.lock from pyproject.toml again
# clean  remove what the others made, but not data/

PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)

.PHONY: run test check gen bench bench-record bench-table bench-scene bench-history crash fuzz lock clean
.DEFAULT_GOAL := run

run test check gen bench bench-record bench-table bench-scene bench-history crash fuzz lock clean:
	@$(or $(PYTHON),false) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Bigroad needs Python 3.11 or newer; name it with make PYTHON=..." >&2; exit 1; }
	@exec $(PYTHON) -B tools/tasks.py $@

"""The cart of validation/sampled-first-order as an exact recursion.

Between two instants at which the force changes, m v' = -d v + u has the solution v(s) = e^(-d s/m) v + (1 - e^(-d s/m)) u/d.
Instants are counted in hundredths of a second, so that none is rounded.
"""

import decimal
import pathlib

decimal.getcontext().prec = 40
D = decimal.Decimal
M, DRAG, GOAL = D(2), D(3), D(1)
PERIOD, OFFSET, DELAY = 10, 5, 3
KEEP = (-DRAG / M * D("0.01")).exp()

v, total, u = D(0), D(0), D(0)
waiting = {}
rows = ["t,rail.rate,pi.u"]
for now in range(401):
    u = waiting.pop(now, u)
    if now >= OFFSET and (now - OFFSET) % PERIOD == 0:
        error = GOAL - v
        waiting[now + DELAY] = 4 * error + total
        total += D("0.7") * error
    if now % 5 == 0:
        rows.append(f"{now / 100},{v:.15f},{u:.15f}")
    v = KEEP * v + (1 - KEEP) * u / DRAG

pathlib.Path(__file__).with_name("reference.csv").write_text("\n".join(rows) + "\n")

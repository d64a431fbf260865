"""Frequencies of a cantilever whose radius falls linearly: Ritz's method with polynomials, all integrals exact, 60 digits.

Checked against the prismatic cantilever, and by taking two polynomials fewer.
"""

import mpmath as mp

mp.mp.dps = 60
E, rho, R, L = mp.mpf("200e9"), mp.mpf(8000), mp.mpf("0.01"), mp.mpf(1)


def frequencies(end, count=16):
    c = 1 - mp.mpf(end)

    def moment(power, taper):
        """Integral of x^power (1 - c x)^taper over 0..1."""
        return mp.fsum(mp.binomial(taper, k) * (-c) ** k / (power + k + 1) for k in range(taper + 1))

    M, K = mp.zeros(count), mp.zeros(count)
    for i in range(count):
        for j in range(count):
            a, b = i + 2, j + 2
            M[i, j] = moment(a + b, 2)
            K[i, j] = a * (a - 1) * b * (b - 1) * moment(a + b - 4, 4)
    factor = mp.cholesky(M)
    inverse = factor**-1
    values = mp.eigsy(inverse * K * inverse.T, eigvals_only=True)
    scale = mp.sqrt(E * R**2 / 4 / rho) / L**2  # EI/(m L^4) at the clamp: I/A = R^2/4
    return [mp.sqrt(v) * scale for v in sorted(values)[:4]], scale


straight, scale = frequencies("1")
assert abs(straight[0] / scale - mp.mpf("3.5160152685001512")) < 1e-12
fine, coarse = frequencies("0.4")[0], frequencies("0.4", 14)[0]
for f, g in zip(fine, coarse):
    print(mp.nstr(f, 15), "1/s; two polynomials fewer change it by", mp.nstr(abs(f - g) / f, 2))

"""A beam of Timoshenko on two supports, b = n pi/L: deflection w sin(b x), section angle a cos(b x).

    rho A W^2 w = k G A b (b w - a)        rho I W^2 a = E I b^2 a - k G A (b w - a)
"""

import mpmath as mp

mp.mp.dps = 30
L, h, E, nu, rho = mp.mpf(1), mp.mpf("0.2"), mp.mpf("70e9"), mp.mpf("0.3"), mp.mpf(2700)
A, I = h**2, h**4 / 12
k = 10 * (1 + nu) / (12 + 11 * nu)  # Cowper
shear = k * E / (2 * (1 + nu)) * A
for n in range(1, 5):
    b = n * mp.pi / L
    # the 2 x 2 problem: sum and product of its W^2
    p, q = shear * b**2 / (rho * A), (E * I * b**2 + shear) / (rho * I)
    product = E * I * b**4 * shear / (rho * A * rho * I)
    low = (p + q - mp.sqrt((p + q) ** 2 - 4 * product)) / 2
    thin = b**2 * mp.sqrt(E * I / (rho * A))
    print(n, mp.nstr(mp.sqrt(low), 15), "1/s; without shear", mp.nstr(thin, 8))

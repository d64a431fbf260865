"""A ladder between smooth walls: w^2 = 3 g/l (sin(start) - sin(angle)). The wall lets go where sin(angle) = 2/3 sin(start); when?"""

import mpmath as mp

mp.mp.dps = 30
g, l, start = mp.mpf("9.81"), mp.mpf(3), mp.radians(mp.mpf(70))
end = mp.asin(2 * mp.sin(start) / 3)
# angle = start - u^2 takes the root out of the beginning; sin a - sin(a - u^2) = 2 cos(a - u^2/2) sin(u^2/2)
drop = lambda u: mp.cos(start - u * u / 2) * mp.sinc(u * u / 2)
print("angle", mp.nstr(end, 17), "rad, at", mp.nstr(mp.quad(lambda u: 2 / mp.sqrt(3 * g / l * drop(u)), [0, mp.sqrt(start - end)]), 17), "s")

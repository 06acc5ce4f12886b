/** Drawings of clothes and accessories. */
import { box, circle, type Drawing, dirac, each, LIGHT, line, path } from './shapes.js';

export const CLOTHES: Readonly<Record<string, Drawing>> = {
  'dirac-indigo': { back: ['#e8ecfb', '#b9c3f0'], shapes: dirac('#3b3f9c', '#f3c969') },
  'dirac-rose': { back: ['#fdecef', '#f4bfca'], shapes: dirac('#c2375f', '#ffe3b0') },
  'shawl-sand': {
    back: ['#fbf4e6', '#e9d3a8'],
    shapes:
      path(
        'M90 110Q200 60 310 110L290 300Q270 320 250 300L245 175Q200 200 155 175L150 300Q130 320 110 300Z',
        '#d6b077',
      ) +
      line('M105 135Q200 88 295 135M150 190V295M250 190V295', '#a97f43', 6) +
      line('M114 300V335M130 305V340M146 300V335M254 300V335M270 305V340M286 300V335', '#a97f43', 5),
  },
  'macawis-green': {
    back: ['#e9f6ee', '#b5dcc3'],
    shapes:
      path('M110 90H290L310 335Q200 350 90 335Z', '#2f7d57') +
      box(110, 82, 180, 24, 8, '#225c40') +
      line('M150 106L138 338M200 106V344M250 106L262 338', '#7fc79d', 6) +
      line('M107 160H293M103 215H297M98 270H302', '#f0d37c', 5),
  },
  'shirt-white': {
    back: ['#e6f1f7', '#a9cadc'],
    shapes:
      path('M150 75Q200 110 250 75L335 120 305 185 270 168V330H130V168L95 185 65 120Z', '#fdfdfb') +
      path('M150 75Q200 110 250 75L225 118 200 100 175 118Z', '#d5dfe5') +
      line('M200 108V326', '#c3d0d8', 5) +
      each(
        [
          [200, 150],
          [200, 200],
          [200, 250],
          [200, 300],
        ],
        (x, y) => circle(x, y, 5, '#8fa3af'),
      ) +
      box(222, 165, 34, 40, 4, '#e9eff2'),
  },
  'cap-embroidered': {
    back: ['#f3edf9', '#cdb9e6'],
    shapes:
      path('M95 250Q95 110 200 110Q305 110 305 250Q200 285 95 250Z', '#5d3a8c') +
      path('M95 215Q200 250 305 215V255Q200 292 95 255Z', '#4a2d72') +
      each(
        [
          [120, 245],
          [152, 253],
          [184, 257],
          [216, 257],
          [248, 253],
          [280, 245],
        ],
        (x, y) => path(`M${x} ${y - 13}L${x + 10} ${y}L${x} ${y + 13}L${x - 10} ${y}Z`, '#f2cf74'),
      ) +
      line('M130 190Q200 160 270 190M155 150Q200 132 245 150', '#f2cf74', 5),
  },
};

export const ACCESSORIES: Readonly<Record<string, Drawing>> = {
  'sandals-leather': {
    back: ['#fbf0e6', '#e6c3a0'],
    shapes: each(
      [
        [130, 0],
        [270, 0],
      ],
      (x) =>
        path(
          `M${x - 48} 130Q${x} 55 ${x + 48} 130Q${x + 38} 200 ${x + 42} 270Q${x} 350 ${x - 42} 270Q${x - 38} 200 ${x - 48} 130Z`,
          '#8a5430',
        ) +
        path(
          `M${x - 36} 135Q${x} 78 ${x + 36} 135Q${x + 28} 200 ${x + 31} 265Q${x} 325 ${x - 31} 265Q${x - 28} 200 ${x - 36} 135Z`,
          '#c98d56',
        ) +
        line(`M${x} 120L${x - 42} 190M${x} 120L${x + 42} 190M${x - 40} 235H${x + 40}`, '#5f3719', 15),
    ),
  },
  'handbag-tan': {
    back: ['#fdf3e4', '#f0cf9b'],
    shapes:
      line('M145 165Q145 75 200 75Q255 75 255 165', '#7b4a22', 14) +
      path('M95 160H305L325 320Q200 345 75 320Z', '#c07a3a') +
      path('M95 160H305L300 215Q200 255 100 215Z', '#a5642a') +
      box(182, 212, 36, 34, 8, '#f2cf74') +
      line('M90 305Q200 328 310 305', '#e8b27a', 4),
  },
  'sunglasses-dark': {
    back: ['#eef1f4', '#c3ccd6'],
    shapes:
      path('M60 165H185Q190 250 125 250Q60 250 60 165Z', '#22262c') +
      path('M215 165H340Q340 250 275 250Q210 250 215 165Z', '#22262c') +
      line('M185 172Q200 160 215 172M60 168L38 150M340 168L362 150', '#b98b2f', 10) +
      path('M78 175H118L90 225Q76 205 78 175ZM232 175H272L244 225Q230 205 232 175Z', LIGHT),
  },
  'watch-steel': {
    back: ['#eaf0f5', '#b6c7d6'],
    shapes:
      path('M160 55H240L248 145H152ZM152 255H248L240 345H160Z', '#8d99a6') +
      line('M156 85H244M154 115H246M154 285H246M156 315H244', '#6d7884', 5) +
      circle(200, 200, 85, '#a9b4bf') +
      circle(200, 200, 70, '#10263d') +
      each(
        [
          [200, 142],
          [258, 200],
          [200, 258],
          [142, 200],
        ],
        (x, y) => circle(x, y, 5, '#f5f7f9'),
      ) +
      line('M200 200V158M200 200L232 218', '#f5f7f9', 7) +
      box(284, 190, 16, 20, 4, '#8d99a6'),
  },
  'earrings-gold': {
    back: ['#fdf6e0', '#efd58a'],
    shapes: each(
      [
        [135, 0],
        [265, 0],
      ],
      (x) =>
        line(`M${x} 70Q${x + 24} 85 ${x} 112`, '#b98b2f', 6) +
        circle(x, 130, 20, '#e2b53f') +
        path(`M${x} 150L${x + 48} 235Q${x} 300 ${x - 48} 235Z`, '#e2b53f') +
        path(`M${x} 180L${x + 26} 232Q${x} 264 ${x - 26} 232Z`, '#b3283c') +
        each(
          [
            [x - 40, 270],
            [x - 14, 290],
            [x + 14, 290],
            [x + 40, 270],
          ],
          (a, b) => circle(a, b, 9, '#b98b2f'),
        ),
    ),
  },
};

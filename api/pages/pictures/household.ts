/** Drawings of food, of things for the home, and of beauty products. */
import { bag, box, circle, type Drawing, each, jar, LIGHT, line, oval, path } from './shapes.js';

export const FOOD: Readonly<Record<string, Drawing>> = {
  'coffee-harar': {
    back: ['#f6ece4', '#d9b99e'],
    shapes:
      bag('#5b3621', '#3f2414', '#f3e3cf') +
      each(
        [
          [175, 205],
          [215, 230],
        ],
        (x, y) =>
          `<g transform="rotate(35 ${x} ${y})">${oval(x, y, 17, 24, '#6d4023')}${line(`M${x} ${y - 20}Q${x + 8} ${y} ${x} ${y + 20}`, '#f3e3cf', 3)}</g>`,
      ),
  },
  'tea-spiced': {
    back: ['#fdf0e2', '#f3c596'],
    shapes:
      bag('#c25a24', '#923f14', '#fff0d8') +
      path('M197 255Q155 225 195 188Q238 225 197 255Z', '#4f7d3a') +
      line('M197 255V205', '#fff0d8', 3),
  },
  'honey-acacia': {
    back: ['#fff6dc', '#f6d77f'],
    shapes:
      jar('#e6a11c', '#7a4c17', '#fff3cd') +
      each(
        [
          [175, 215],
          [200, 230],
          [225, 215],
          [175, 245],
          [225, 245],
        ],
        (x, y) =>
          path(
            `M${x - 13} ${y - 7}L${x} ${y - 15}L${x + 13} ${y - 7}V${y + 7}L${x} ${y + 15}L${x - 13} ${y + 7}Z`,
            '#e6a11c',
          ),
      ),
  },
  'dates-medjool': {
    back: ['#f8ede6', '#dcb69b'],
    shapes:
      path('M70 220H330Q320 325 200 325Q80 325 70 220Z', '#d9e3e8') +
      oval(200, 220, 130, 34, '#c3d2da') +
      each(
        [
          [130, 205],
          [180, 190],
          [232, 195],
          [275, 212],
          [155, 225],
          [210, 222],
          [250, 232],
        ],
        (x, y) =>
          `<g transform="rotate(${(x * 7) % 60} ${x} ${y})">${oval(x, y, 36, 19, '#6b3417')}${oval(x - 8, y - 6, 16, 5, '#a4622f')}</g>`,
      ),
  },
  'oil-sesame': {
    back: ['#f7f6e3', '#dcd794'],
    shapes:
      path('M178 60H222V125Q262 150 262 200V320Q262 340 242 340H158Q138 340 138 320V200Q138 150 178 125Z', '#d2a62c') +
      box(172, 45, 56, 30, 8, '#3e5a2b') +
      box(138, 205, 124, 95, 0, '#fdf8e0') +
      each(
        [
          [175, 235],
          [200, 222],
          [225, 240],
          [185, 268],
          [215, 272],
        ],
        (x, y) => oval(x, y, 6, 11, '#b68a1d'),
      ) +
      box(152, 165, 12, 150, 6, LIGHT),
  },
  'teapot-blue': {
    back: ['#e6f0fb', '#a8c8ec'],
    shapes:
      line('M285 190Q350 185 335 240Q322 280 270 275', '#1f5fa8', 20) +
      path('M125 215L60 160 78 148 150 185Z', '#1f5fa8') +
      path('M115 235Q115 150 205 150Q295 150 295 235Q295 320 205 320Q115 320 115 235Z', '#2b74c6') +
      path('M150 155Q205 110 260 155Z', '#1f5fa8') +
      circle(205, 122, 14, '#f3c969') +
      line('M122 225Q205 255 288 225', '#f3c969', 7) +
      each(
        [
          [160, 275],
          [205, 285],
          [250, 275],
        ],
        (x, y) => circle(x, y, 9, '#f3c969'),
      ),
  },
};

export const HOME: Readonly<Record<string, Drawing>> = {
  'burner-clay': {
    back: ['#faeee9', '#e2b8a4'],
    shapes:
      line('M180 110Q160 80 185 55M220 112Q245 85 218 50', '#b9aaa3', 8) +
      path('M120 140H280L260 215H140Z', '#a8512f') +
      path('M160 215H240L275 325H125Z', '#8c3f22') +
      oval(200, 140, 80, 18, '#5c2512') +
      each(
        [
          [165, 178],
          [200, 182],
          [235, 178],
        ],
        (x, y) => path(`M${x} ${y - 15}L${x + 12} ${y + 10}H${x - 12}Z`, '#f0c9a4'),
      ) +
      path('M180 325Q180 265 200 265Q220 265 220 325Z', '#4a1d0e'),
  },
  'incense-uunsi': {
    back: ['#f4edf2', '#d4b6ca'],
    shapes: jar('#7b3f61', '#d9b14a', '#f7e9f1') + path('M200 190Q232 225 200 265Q168 225 200 190Z', '#b9577f'),
  },
  'basket-woven': {
    back: ['#f9f3e3', '#e0cb92'],
    shapes:
      line('M110 190Q110 70 200 70Q290 70 290 190', '#8a6424', 14) +
      path('M85 185H315L285 330Q200 345 115 330Z', '#c99a45') +
      line('M92 220H308M98 255H302M105 290H295', '#8a6424', 7) +
      line('M130 188L148 332M165 188L174 337M200 188V340M235 188L226 337M270 188L252 332', '#a97c30', 6) +
      box(78, 175, 244, 24, 12, '#b3302f'),
  },
  'lamp-solar': {
    back: ['#fffbe4', '#f5e38a'],
    shapes:
      circle(200, 190, 120, '#fff5b3') +
      line('M150 105Q200 40 250 105', '#3c4650', 10) +
      box(140, 100, 120, 34, 12, '#3c4650') +
      path('M150 134H250L265 260H135Z', '#ffd84a') +
      line('M175 134L168 260M225 134L232 260', '#e0a91b', 5) +
      box(125, 260, 150, 60, 16, '#3c4650') +
      box(145, 276, 110, 28, 5, '#2a6db0') +
      line('M182 276V304M218 276V304', '#8fc0ea', 3),
  },
  'cushion-red': {
    back: ['#fcebe9', '#eeb3ac'],
    shapes:
      path('M85 105Q200 130 315 105Q295 200 315 315Q200 290 85 315Q105 200 85 105Z', '#b6322f') +
      path('M200 150L250 210 200 270 150 210Z', '#f2cf74') +
      path('M200 178L228 210 200 242 172 210Z', '#b6322f') +
      each(
        [
          [125, 145],
          [275, 145],
          [125, 275],
          [275, 275],
        ],
        (x, y) => circle(x, y, 10, '#f2cf74'),
      ) +
      each(
        [
          [82, 102],
          [318, 102],
          [82, 318],
          [318, 318],
        ],
        (x, y) => circle(x, y, 12, '#7f1f1d'),
      ),
  },
};

export const BEAUTY: Readonly<Record<string, Drawing>> = {
  'henna-powder': {
    back: ['#eef4e4', '#c0d3a0'],
    shapes:
      path('M90 230H310Q300 325 200 325Q100 325 90 230Z', '#7a5a3a') +
      path('M105 232Q200 95 295 232Z', '#6f7f2d') +
      oval(200, 232, 110, 24, '#84953a') +
      each(
        [
          [160, 195],
          [205, 165],
          [235, 205],
          [190, 215],
        ],
        (x, y) => circle(x, y, 5, '#a8b965'),
      ) +
      path('M285 120Q330 100 345 145Q305 165 285 120Z', '#4f7d3a'),
  },
  'perfume-oud': {
    back: ['#f3edf2', '#c9b2c6'],
    shapes:
      box(165, 60, 70, 55, 8, '#d9b14a') +
      box(180, 115, 40, 25, 4, '#a8842e') +
      path('M130 165Q130 138 160 138H240Q270 138 270 165V315Q270 335 250 335H150Q130 335 130 315Z', '#5a2a52') +
      path('M145 215H255V312Q255 320 247 320H153Q145 320 145 312Z', '#8a4a7d') +
      box(160, 225, 80, 60, 6, '#f7e9f1') +
      path('M200 232L214 255 200 278 186 255Z', '#d9b14a') +
      box(142, 155, 12, 160, 6, LIGHT),
  },
};

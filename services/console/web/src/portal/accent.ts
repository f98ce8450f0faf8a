type Rgb = readonly [red: number, green: number, blue: number]

/** The surfaces of `../theme/tokens.css` on which the colour is read, and the text on it. */
const schemes = {
  light: { surface: [255, 255, 255], canvas: [241, 243, 246], target: [0, 0, 0], onAccent: '#ffffff', soft: 0.1 },
  dark: { surface: [21, 25, 31], canvas: [28, 33, 41], target: [255, 255, 255], onAccent: '#0e1115', soft: 0.18 },
} as const

/** Contrast of text that everyone can read (WCAG 2.2, success criterion 1.4.3), and a little more for rounding. */
const minContrast = 4.6

/**
 * Returns the design tokens of an accent colour in a scheme. The colour is made darker or lighter until text of it can
 * be read on every surface, and text on it.
 * @param hex `#rrggbb`
 */
export function accentTokens(hex: string, scheme: keyof typeof schemes): Record<string, string> {
  const { surface, canvas, target, onAccent, soft } = schemes[scheme]
  const chosen = parse(hex)
  const softened = mix(surface, chosen, soft)
  const isReadable = (color: Rgb) =>
    [surface, canvas, softened].every((behind) => contrast(color, behind) >= minContrast) &&
    contrast(color, parse(onAccent)) >= minContrast
  const steps = Array.from({ length: 51 }, (_, step) => mix(chosen, target, step / 50))
  const accent = steps.find(isReadable) ?? target
  return {
    '--accent': format(accent),
    '--accent-hover': format(mix(accent, target, 0.15)),
    '--accent-soft': format(softened),
    '--accent-text': format(accent),
    '--on-accent': onAccent,
    '--chart-1': format(accent),
  }
}

/** Returns the contrast of two colours (https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio). */
export function contrast(one: Rgb, other: Rgb): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

function luminance(color: Rgb): number {
  const [red = 0, green = 0, blue = 0] = color.map((channel) => {
    const share = channel / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** Parses `#rrggbb`. */
export const parse = (hex: string): Rgb =>
  [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as unknown as Rgb // three of them

const mix = (from: Rgb, to: Rgb, share: number): Rgb =>
  from.map((channel, index) => Math.round(channel + ((to[index] ?? 0) - channel) * share)) as unknown as Rgb // as many

const format = (color: Rgb): string => `#${color.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`

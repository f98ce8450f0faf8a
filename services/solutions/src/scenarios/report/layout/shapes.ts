import type { Font } from '@wp/pdf'

/** A shape on a page, in points from the top left. Whatever draws it needs no decision of its own. */
export type Shape = RectangleShape | LineShape | TextShape

export interface RectangleShape {
  kind: 'rectangle'
  x: number
  y: number
  width: number
  height: number
  fill?: string
  stroke?: string
  strokeWidth?: number
}

export interface LineShape {
  kind: 'line'
  from: { x: number; y: number }
  to: { x: number; y: number }
  color: string
  width: number
}

/** A line of text, cut with an ellipsis where it is wider than `width`. */
export interface TextShape extends TextStyle {
  kind: 'text'
  text: string
  x: number
  /** The top of the line. */
  y: number
  width: number
}

export interface TextStyle {
  size: number
  font?: Font
  color?: string
  align?: 'left' | 'right' | 'center'
  /** Of sentences, which may begin with a name from right to left. */
  direction?: 'ltr'
}

/** The place of a chart; its height follows from what it shows. */
export interface Frame {
  x: number
  y: number
  width: number
}

/** Returns the width of a text in points. */
export type MeasureText = (text: string, font: Font, size: number) => number

export const rectangle = (shape: Omit<RectangleShape, 'kind'>): Shape => ({ kind: 'rectangle', ...shape })

export const textLine = (text: string, place: { x: number; y: number; width: number }, style: TextStyle): Shape => ({
  kind: 'text',
  text,
  ...place,
  ...style,
})

export const horizontalLine = (
  x: number,
  y: number,
  length: number,
  { color = '#d5d9df', width = 0.5 } = {},
): Shape => ({ kind: 'line', color, width, from: { x, y }, to: { x: x + length, y } })

/** Returns a rectangle that is smaller by a margin, so that its outline is within the larger one. */
export const inset = <Box extends { x: number; y: number; width: number; height: number }>(
  box: Box,
  by: number,
): Box => ({ ...box, x: box.x + by, y: box.y + by, width: box.width - 2 * by, height: box.height - 2 * by })

import { formatNumber } from '../format/format.ts'

/** Formats a number by its magnitude: whole from 10 on, else with one decimal, and 0 for what would be 0.0. */
export const formatRounded = (value: number): string => {
  const rounded = Number(value.toFixed(Math.abs(value) >= 10 ? 0 : 1))
  return formatNumber(rounded === 0 ? 0 : rounded)
}

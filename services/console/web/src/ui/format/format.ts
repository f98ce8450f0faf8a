import { withSigns as writeWithSigns } from '@wp/contracts/local-text'
import { numberSigns } from './number-signs.ts'

// Written out instead of using Intl: the first format of Intl takes the browser some 50 ms, a fifth of the first page.

/** Formats a number as the reader writes it, with at most `digits` decimals: `12,345`, in Germany `12.345`. */
export function formatNumber(value: number, digits = 3): string {
  return withSigns(String(Number(value.toFixed(digits))))
}

/** Writes a number that has no separators, `12345.60`, as the reader writes it. */
export const withSigns = (plain: string): string => writeWithSigns(plain, numberSigns())

const compactUnits = ['', 'K', 'M', 'B', 'T']

/** Formats a number in few characters: `12.3K`. */
export function formatCompact(value: number): string {
  let rest = Number(value.toFixed(1))
  let power = 0
  while (Math.abs(rest) >= 1000 && power < compactUnits.length - 1) {
    rest = Number((rest / 1000).toFixed(1))
    power += 1
  }
  return `${formatNumber(rest, 1)}${compactUnits[power]}`
}

/** Formats a number and its noun: `1 key`, `12 keys`. */
export const formatCount = (count: number, singular: string, plural = `${singular}s`): string =>
  `${formatNumber(count)} ${count === 1 ? singular : plural}`

/** Formats a share of 0 to 1 as percent, with a space that does not break, as all texts of the platform do: `12 %`. */
export const formatPercent = (share: number, digits = 0): string => `${formatNumber(100 * share, digits)}\u00a0%`

const byteUnits = ['B', 'KiB', 'MiB', 'GiB', 'TiB']

/** Formats a number of bytes in binary units: `1.5 MiB`. */
export function formatBytes(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(byteUnits.length - 1, Math.floor(Math.log2(bytes) / 10))
  const value = bytes / 1024 ** power
  return `${withSigns(value.toFixed(power === 0 || value >= 100 ? 0 : 1))} ${byteUnits[power]}`
}

/** Formats a duration in milliseconds: `240 ms`, `1.4 s`, `3 min 5 s`. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`
  const seconds = milliseconds / 1000
  if (seconds < 60) return `${withSigns(seconds.toFixed(seconds < 10 ? 1 : 0))} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min ${Math.round(seconds % 60)} s`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** Formats an amount of money in minor units of a currency (ISO 4217): `EUR 12.50`. */
export function formatMoney(minorUnits: number, currency: string): string {
  const digits = currencyDigits(currency)
  return `${minorUnits < 0 ? '-' : ''}${currency}\u00a0${withSigns((Math.abs(minorUnits) / 10 ** digits).toFixed(digits))}`
}

/** Returns the decimals of a currency: 2 of euros, none of yen. */
export const currencyDigits = (currency: string): number =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2

/** Returns the minor units of a unit of a currency: 100 cents, 1 yen. */
export const minorUnitsOf = (currency: string): number => 10 ** currencyDigits(currency)

/** Formats an amount of minor units, in whole units from 100 up: `EUR 45,600`. */
export function formatAmount(amount: number, currency: string): string {
  const units = amount / minorUnitsOf(currency)
  return `${currency}\u00a0${formatNumber(units, Math.abs(units) >= 100 ? 0 : 2)}`
}

const initialisms: Readonly<Record<string, string>> = {
  api: 'API',
  id: 'ID',
  url: 'URL',
  mcp: 'MCP',
  csv: 'CSV',
  pdf: 'PDF',
}

/** Turns a name of the API into words: `api_calls` becomes `API calls`. */
export function formatName(name: string): string {
  const [first = '', ...rest] = name.split('_').map((word) => initialisms[word] ?? word)
  return [first.charAt(0).toUpperCase() + first.slice(1), ...rest].join(' ')
}

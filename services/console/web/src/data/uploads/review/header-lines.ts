import type { ApiError } from '@wp/client/browser'
import { z } from 'zod'

/** Returns the lines that could name the columns, which the detail of an `ambiguous_format` error states. */
export function readHeaderLines({ body }: ApiError): { line: number; names: string }[] {
  const errors = z.array(z.object({ pointer: z.string(), detail: z.string() })).safeParse(body.errors).data ?? []
  const detail = errors.find(({ pointer }) => pointer === '/header_row')?.detail ?? ''
  const lines = [...detail.matchAll(/\bline (\d+): (.*?)(?=; line \d+: |\. Set `)/g)]
  return lines.map(([, line, names = '']) => {
    const cells = names.split('|').map((name) => name.trim())
    return { line: Number(line), names: cells.filter((name) => name !== '').join(', ') }
  })
}

import { type data, type Operation, problem } from '@wp/contracts'
import type { Context } from '../context.ts'

export const preview: Operation<typeof data.preview, Context> = () => {
  throw problem('unsupported_media_type')
}

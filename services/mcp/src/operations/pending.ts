import { problem } from '@wp/contracts'

/** Stands for an operation that does not exist yet. */
export const pending = async (): Promise<never> => {
  throw problem('service_unavailable')
}

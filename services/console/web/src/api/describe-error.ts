import { ApiError } from '@wp/client/browser'

/** An error in the words of a person who uses the console. */
export interface ErrorDescription {
  title: string
  detail?: string
  requestId?: string
  /** Invalid fields, by JSON pointer. */
  fields: readonly { pointer: string; detail: string }[]
}

/** The end of a task of several calls, in the words of a person who uses the console. */
export class TaskError extends Error {
  readonly title: string

  constructor(title: string, detail: string) {
    super(detail)
    this.title = title
  }
}

/** Describes any error: of the API with its detail, of the network with what to do. */
export function describeError(error: unknown): ErrorDescription {
  if (error instanceof ApiError) {
    const { title } = error.body
    return {
      title: typeof title === 'string' ? title : 'The request failed',
      detail: error.message,
      ...wordsByCode[error.code],
      ...(error.requestId !== undefined && { requestId: error.requestId }),
      fields: error.errors,
    }
  }
  if (error instanceof DOMException && error.name === 'TimeoutError')
    return { title: 'The platform did not answer in time', detail: 'Try again in a moment.', fields: [] }
  if (error instanceof TypeError)
    return {
      title: 'The platform cannot be reached',
      detail: 'Check your network connection, then try again.',
      fields: [],
    }
  if (error instanceof TaskError) return { title: error.title, detail: error.message, fields: [] }
  return {
    title: 'Something went wrong in the console',
    detail: error instanceof Error ? error.message : '',
    fields: [],
  }
}

/** Errors whose texts are written for programs, in the words of a person who uses the console. */
const wordsByCode: Readonly<Record<string, { title: string; detail: string }>> = {
  not_found: { title: 'Not found', detail: 'It may have been deleted, or the address is not complete.' },
  reauthentication_required: {
    title: 'Not confirmed',
    detail: 'Nothing was changed. Press the button again, and confirm with the code that we mail you.',
  },
}

/** Returns true if a call was refused because the resource does not exist, or belongs to another workspace. */
export const isNotFound = (error: unknown): boolean => error instanceof ApiError && error.status === 404

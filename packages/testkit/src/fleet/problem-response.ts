import { expect } from '@jest/globals'

/** Matches an error response with errors at these pointers. */
export const problemResponse = (status: number, code: string, ...pointers: string[]) => ({
  status,
  body: expect.objectContaining({
    code,
    ...(pointers.length === 0 ? {} : { errors: pointers.map((pointer) => expect.objectContaining({ pointer })) }),
  }),
})

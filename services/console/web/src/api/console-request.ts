import { ApiError } from '@wp/client/browser'
import { requestSession, takeFirstSession } from './request-session.ts'

/** Calls a GET endpoint of the console's session API. @throws ApiError for an error response */
export const getSession = async <Result>(): Promise<Result> => readResult(await takeFirstSession())

/** Calls a POST endpoint of the console's session API, without a body if it takes none. @throws ApiError */
export const postSession = async <Result>(path: string, body?: object): Promise<Result> =>
  readResult(await requestSession('POST', path, body))

async function readResult<Result>(response: Response): Promise<Result> {
  const parsed: unknown = await response.json().catch(() => undefined)
  if (!response.ok) throw new ApiError(response, parsed)
  return (parsed as { data: Result }).data // the backend of the console declares the shape
}

/** Times in milliseconds from sending the request. */
export interface StreamTimes {
  firstToken: number
  total: number
}

/** Sends a request, reads the stream of its response to the end, and measures when a marker first appears in it. */
export async function timeStream(
  url: string,
  { body, headers = {}, marker }: { body: unknown; headers?: Record<string, string>; marker: string },
): Promise<StreamTimes> {
  const startedAt = performance.now()
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  if (response.status !== 200 || response.body === null)
    throw new Error(`${response.status}: ${(await response.text()).slice(0, 500)}`)
  let firstToken = Number.NaN
  for await (const text of response.body.pipeThrough(new TextDecoderStream()))
    if (Number.isNaN(firstToken) && text.includes(marker)) firstToken = performance.now() - startedAt
  if (Number.isNaN(firstToken)) throw new Error('the stream had no token')
  return { firstToken, total: performance.now() - startedAt }
}

/**
 * Returns false for a form that a page of another origin sent (https://www.w3.org/TR/fetch-metadata/). Browsers that do
 * not say so still omit the cookies of such a request (SameSite).
 */
export const isSameOrigin = (headers: { 'sec-fetch-site'?: string }): boolean =>
  (headers['sec-fetch-site'] ?? 'same-origin') === 'same-origin'

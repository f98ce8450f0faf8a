/**
 * Tells zod not to compile parsers: the content security policy forbids it, and the browser would report the attempt.
 * zod reads this object when a page loads it, so the initial bundle need not contain zod.
 */
export function configureZod(): void {
  Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })
}

// Loaded before everything else: requests the session while the application is loading, which then finds the response.
// It imports nothing, so that it is one small file: path and header are those of `../api/request-session.ts`.

globalThis.firstSession = fetch('/console/api/session', { headers: { 'x-console': '1' } })

export {}

// Loaded before everything else: requests the session while the application is loading, which then finds the response.
import { requestSession } from '../api/request-session.ts'

globalThis.firstSession = requestSession('GET', '')

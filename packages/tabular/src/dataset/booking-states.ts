/** Returns the parts of texts that are separated by commas. */
export const phrases = (...lists: string[]): ReadonlySet<string> => new Set(lists.flatMap((list) => list.split(', ')))

// Words with spaces in place of hyphens and underscores.
const states = {
  attended: phrases(
    'checked in, checkedin, checked out, attended, used, present, arrived, in progress, eingecheckt, ausgecheckt, erschienen',
    'genutzt, enregistré, enregistrée, présent, présente, utilisé, utilisée, registrado, registrada, asistió, utilizado',
    'utilizada, utilizzato, utilizzata, ingecheckt, aanwezig, gebruikt',
  ),
  completed: phrases(
    'completed, ended, finished, abgeschlossen, beendet, durchgeführt, stattgefunden, terminé, terminée, finalizado',
    'finalizada, completado, completada, effettuato, concluso, conclusa, completato, voltooid, afgerond, zakończone',
  ),
  missed: phrases(
    'no show, noshow, absent, missed, unused, not used, did not attend, not checked in, nicht erschienen, nichterschienen',
    'nicht genutzt, ungenutzt, nicht eingecheckt, non présenté, non présentée, absent(e), absente, non utilisé, ausente',
    'no presentado, no presentada, no asistió, no utilizado, no utilizada, non presentato, assente, non utilizzato',
    'niet verschenen, niet gebruikt, afwezig, nieobecny',
  ),
  cancelled: phrases(
    'cancelled, canceled, declined, rejected, denied, released, auto released, deleted, withdrawn, storniert, storno, abgesagt',
    'abgelehnt, freigegeben, gelöscht, zurückgezogen, annulé, annulée, annule, refusé, refusée, supprimé, cancelado',
    'cancelada, anulado, anulada, rechazado, rechazada, annullato, annullata, cancellato, cancellata, rifiutato, rifiutata',
    'geannuleerd, geweigerd, anulowano, anulowana, odwołana, odwołano',
  ),
  held: phrases(
    'confirmed, accepted, active, booked, tentative, ok, approved, reserved, pending, requested, provisional, scheduled',
    'bestätigt, gebucht, angenommen, zugesagt, reserviert, ausstehend, vorläufig, mit vorbehalt, unter vorbehalt, geplant',
    'confirmé, confirmée, accepté, acceptée, réservé, réservée, en attente, provisoire, planifié, confirmado, confirmada',
    'aceptado, aceptada, reservado, reservada, pendiente, confermato, confermata, accettato, accettata, prenotato, in attesa',
    'bevestigd, geaccepteerd, gereserveerd, voorlopig, potwierdzona, potwierdzone',
  ),
} as const

/** State of a booking: `completed` may say that its time is over, `held` only that it was made. */
export type BookingState = keyof typeof states

/** Returns the state that a word such as `No Show` names, undefined for any other text. */
export function bookingStateOf(text: string): BookingState | undefined {
  const word = text
    .trim()
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, ' ')
  return stateNames.find((state) => states[state].has(word))
}

const stateNames = Object.keys(states) as BookingState[] // the keys of a constant object

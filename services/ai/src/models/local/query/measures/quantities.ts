/** Adding these up has no meaning. */
export const isRate = (field: string): boolean =>
  /%|ppm|°|lux|rate|(?<!du)ratio|percent|share|average|avg|mean|score|temperature|humidity|quote|anteil|prozent|temperatur|price|preis|(?:^|_)age$/i.test(
    field,
  )

/** Returns true for what is spent or used up: `costs in May` are those of all records. */
export const isAdded = (field: string): boolean =>
  !isRate(field) && /cost|kosten|expense|consumption|verbrauch|kwh|mwh|fee|gebuhr|gebühr|revenue|umsatz/i.test(field)

/** Returns true for money that a record cost as a whole. */
export const isSpent = (field: string): boolean =>
  !isRate(field) && /cost|kosten|expense|fee|gebuhr|gebühr|amount|betrag|montant/i.test(field)

/** Returns true for a number of things, of which one record may have many. */
export const isQuantity = (field: string): boolean =>
  /quantit|units|count|copies|stock|pieces|portion|menge|stuck|stück|anzahl|bestand/i.test(field)

/** Returns true for a column of money. */
export const isMoney = (field: string): boolean =>
  /[€$£]|eur|usd|chf|gbp|cost|price|fee|salary|revenue|amount|budget|refund|rent|kosten|preis|gebuhr|gebühr|gehalt|umsatz|betrag|montant|miete/i.test(
    field,
  )

/** Returns true for a number of which more is better, whatever it is about. */
export const isScore = (field: string): boolean => /score|rating|points|satisf|punkte|bewertung|zufrieden/i.test(field)

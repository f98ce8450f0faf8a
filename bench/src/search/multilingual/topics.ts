/** One matter in each language: a record (title, text), and a question in other words. */
export interface Topic {
  en: readonly [title: string, text: string, question: string]
  de: readonly [title: string, text: string, question: string]
  fr: readonly [title: string, text: string, question: string]
}

/** Rules of a made company. The questions were written to share few words with the records. */
export const topics: readonly Topic[] = [
  {
    en: ['Lodging', 'Up to 180 euros a night are reimbursed in capital cities abroad.', 'Hotel in Paris?'],
    de: [
      'Unterkunft',
      'In Hauptstädten im Ausland werden bis zu 180 Euro je Nacht erstattet.',
      'Was darf ein Zimmer in Rom kosten?',
    ],
    fr: [
      'Hébergement',
      'Jusqu’à 180 euros par nuit sont remboursés dans les capitales étrangères.',
      'Prix maximal d’un hôtel à Madrid ?',
    ],
  },
  {
    en: [
      'Meals',
      'The daily allowance for food on a journey is 40 euros.',
      'How much may I spend on dinner while travelling?',
    ],
    de: [
      'Verpflegung',
      'Der Tagessatz für Essen auf Reisen beträgt 40 Euro.',
      'Wie viel bekomme ich unterwegs fürs Abendbrot?',
    ],
    fr: [
      'Repas',
      'L’indemnité journalière de nourriture en déplacement est de 40 euros.',
      'Combien puis-je dépenser pour dîner en voyage ?',
    ],
  },
  {
    en: [
      'Stolen devices',
      'Report a lost or stolen computer to the service desk at once.',
      'My laptop was taken on the train',
    ],
    de: [
      'Gestohlene Geräte',
      'Melden Sie den Verlust eines Rechners sofort dem Servicedesk.',
      'Mein Notebook wurde geklaut',
    ],
    fr: [
      'Appareils volés',
      'Signalez immédiatement un ordinateur perdu au centre de services.',
      'On m’a pris mon portable dans le train',
    ],
  },
  {
    en: [
      'Sick leave',
      'A medical certificate is needed from the third day of absence.',
      'When do I have to see a doctor if I am ill?',
    ],
    de: [
      'Krankmeldung',
      'Ab dem dritten Fehltag ist ein ärztliches Attest nötig.',
      'Wann muss ich zum Doktor, wenn ich Grippe habe?',
    ],
    fr: [
      'Arrêt maladie',
      'Un certificat médical est requis dès le troisième jour d’absence.',
      'Quand voir un docteur si j’ai la grippe ?',
    ],
  },
  {
    en: [
      'Annual holiday',
      'Employees have 30 days off a year; five may be carried over until March.',
      'Can I keep vacation for next spring?',
    ],
    de: [
      'Jahresurlaub',
      'Beschäftigte haben 30 freie Tage; fünf lassen sich bis März übertragen.',
      'Verfallen meine Ferien zum Jahresende?',
    ],
    fr: [
      'Congés annuels',
      'Le personnel a 30 jours libres ; cinq sont reportables jusqu’en mars.',
      'Mes vacances sont-elles perdues fin décembre ?',
    ],
  },
  {
    en: ['Parking', 'Spaces in the basement are given by lot each quarter.', 'Where can I leave my car at work?'],
    de: [
      'Stellplätze',
      'Plätze in der Tiefgarage werden jedes Quartal verlost.',
      'Wo kann ich mein Auto im Büro abstellen?',
    ],
    fr: [
      'Stationnement',
      'Les places du sous-sol sont tirées au sort chaque trimestre.',
      'Où laisser ma voiture au bureau ?',
    ],
  },
  {
    en: ['Bicycles', 'A covered rack and showers are behind building B.', 'I cycle to work and want to wash'],
    de: [
      'Fahrräder',
      'Ein überdachter Ständer und Duschen sind hinter Gebäude B.',
      'Ich komme mit dem Rad und schwitze',
    ],
    fr: [
      'Vélos',
      'Un abri couvert et des douches se trouvent derrière le bâtiment B.',
      'Je pédale jusqu’au travail, où me laver ?',
    ],
  },
  {
    en: [
      'Home office',
      'Up to three days a week may be worked from home by agreement with the team.',
      'Do I have to come in every day?',
    ],
    de: [
      'Mobiles Arbeiten',
      'Nach Absprache im Team sind bis zu drei Tage Heimarbeit je Woche möglich.',
      'Muss ich täglich vor Ort sein?',
    ],
    fr: [
      'Télétravail',
      'Jusqu’à trois jours par semaine à domicile, en accord avec l’équipe.',
      'Dois-je venir sur place tous les jours ?',
    ],
  },
  {
    en: [
      'Passwords',
      'A password has at least 14 characters and is never told to anyone.',
      'How long must my login secret be?',
    ],
    de: [
      'Kennwörter',
      'Ein Kennwort hat mindestens 14 Zeichen und wird niemandem verraten.',
      'Wie lang muss mein Passwort sein?',
    ],
    fr: [
      'Mots de passe',
      'Un mot de passe compte au moins 14 caractères et reste secret.',
      'Quelle longueur pour mon code de connexion ?',
    ],
  },
  {
    en: [
      'Suspicious mail',
      'Forward phishing attempts to security and open no attachment.',
      'I got a strange message with a link',
    ],
    de: [
      'Verdächtige Mails',
      'Leiten Sie Phishing an die Sicherheit weiter und öffnen Sie keinen Anhang.',
      'Komische Nachricht mit einem Link bekommen',
    ],
    fr: [
      'Courriels suspects',
      'Transférez l’hameçonnage à la sécurité sans ouvrir la pièce jointe.',
      'J’ai reçu un message bizarre avec un lien',
    ],
  },
  {
    en: ['Fire', 'Leave by the stairs and gather at the fountain.', 'What to do when there is smoke?'],
    de: ['Brand', 'Verlassen Sie das Haus über die Treppe; Sammelpunkt ist der Brunnen.', 'Was tun, wenn es qualmt?'],
    fr: ['Incendie', 'Sortez par l’escalier et rejoignez la fontaine.', 'Que faire s’il y a de la fumée ?'],
  },
  {
    en: ['First aid', 'Bandages and a defibrillator hang beside the reception.', 'Somebody has cut a finger'],
    de: ['Erste Hilfe', 'Verbandszeug und ein Defibrillator hängen neben dem Empfang.', 'Jemand hat sich geschnitten'],
    fr: [
      'Premiers secours',
      'Pansements et défibrillateur se trouvent près de l’accueil.',
      'Quelqu’un s’est coupé le doigt',
    ],
  },
  {
    en: ['Archive', 'The archive closes at six and is shut on Fridays.', 'Until when can I look at old files?'],
    de: ['Archiv', 'Das Archiv schließt um sechs und bleibt freitags zu.', 'Bis wann kann ich alte Akten einsehen?'],
    fr: [
      'Archives',
      'Les archives ferment à six heures et ne sont pas ouvertes le vendredi.',
      'Jusqu’à quand consulter les anciens dossiers ?',
    ],
  },
  {
    en: [
      'Canteen',
      'Lunch is served from noon to two; one dish is always vegan.',
      'Where do I get something to eat without meat?',
    ],
    de: [
      'Kantine',
      'Mittagessen gibt es von zwölf bis zwei; ein Gericht ist stets vegan.',
      'Wo bekomme ich etwas ohne Fleisch?',
    ],
    fr: [
      'Cantine',
      'Le déjeuner est servi de midi à deux heures ; un plat est toujours végétalien.',
      'Où manger sans viande ?',
    ],
  },
  {
    en: ['Payday', 'Salaries are transferred on the 27th of each month.', 'When does my money arrive?'],
    de: ['Gehalt', 'Löhne werden am 27. jedes Monats überwiesen.', 'Wann kommt mein Geld?'],
    fr: ['Paie', 'Les salaires sont virés le 27 de chaque mois.', 'Quand arrive mon argent ?'],
  },
  {
    en: ['Parental leave', 'Mothers and fathers announce it seven weeks before it begins.', 'We are expecting a baby'],
    de: ['Elternzeit', 'Mütter und Väter melden sie sieben Wochen vor Beginn an.', 'Wir bekommen ein Baby'],
    fr: ['Congé parental', 'Mères et pères l’annoncent sept semaines avant le début.', 'Nous attendons un bébé'],
  },
  {
    en: ['Training', 'Each employee has 1,000 euros a year for courses.', 'Who pays for my language lessons?'],
    de: ['Weiterbildung', 'Jeder hat 1.000 Euro im Jahr für Kurse.', 'Wer zahlt meinen Sprachunterricht?'],
    fr: ['Formation', 'Chacun dispose de 1 000 euros par an pour des cours.', 'Qui paie mes leçons de langue ?'],
  },
  {
    en: ['Printers', 'Send a job to any device and release it with your badge.', 'How do I get this on paper?'],
    de: [
      'Drucker',
      'Senden Sie einen Auftrag und geben Sie ihn am Gerät mit dem Ausweis frei.',
      'Wie bekomme ich das auf Papier?',
    ],
    fr: ['Imprimantes', 'Envoyez le document puis libérez-le avec votre badge.', 'Comment avoir cela sur papier ?'],
  },
  {
    en: [
      'Visitors',
      'Guests are announced a day before and fetched at the entrance.',
      'A customer comes to see us tomorrow',
    ],
    de: ['Besucher', 'Gäste werden am Vortag angemeldet und am Eingang abgeholt.', 'Morgen kommt ein Kunde zu uns'],
    fr: [
      'Visiteurs',
      'Les invités sont annoncés la veille et accueillis à l’entrée.',
      'Un client vient nous voir demain',
    ],
  },
  {
    en: ['Gifts', 'Presents worth more than 35 euros are declined.', 'A supplier wants to send me wine'],
    de: ['Geschenke', 'Zuwendungen über 35 Euro werden abgelehnt.', 'Ein Lieferant will mir Wein schicken'],
    fr: ['Cadeaux', 'Les présents de plus de 35 euros sont refusés.', 'Un fournisseur veut m’envoyer du vin'],
  },
]

/** The texts of the test server's models: sentences in several languages. `{k}` is replaced by a keyword. */

export type Language = {
  /** The name of the language in prompts. */
  readonly name: string;
  readonly titles: readonly string[];
  readonly headings: readonly string[];
  readonly sentences: readonly string[];
  readonly keywords: readonly string[];
  /** The text between two sentences; "" for Japanese. */
  readonly space: string;
};

const english: Language = {
  name: "English",
  space: " ",
  titles: ["A practical guide to {k}", "What everybody should know about {k}", "How to get started with {k}"],
  headings: [
    "Where to begin",
    "What it takes",
    "Common mistakes",
    "A closer look",
    "What comes next",
    "Why it pays off",
  ],
  keywords: ["garden", "morning light", "good tools", "patience", "fresh water", "old recipes"],
  sentences: [
    "Most people who think about {k} remember the first time it went wrong.",
    "A quiet hour in the morning is worth more than a whole weekend of hurry.",
    "Write down what you have, what you need and what you can borrow from a neighbour.",
    "The best results come from small steps that are repeated with care.",
    "There is no secret behind {k}, only a handful of habits that anybody can learn.",
    "When something does not work, change one thing at a time and watch what happens.",
    "Good tools last for years if they are cleaned after every use.",
    "Ask somebody who has done it before, because they know which advice can be ignored.",
    "It helps to set a date, for nothing is ever finished without one.",
    "With {k}, as with bread, patience is the cheapest ingredient.",
    "The weather will not wait for you, so prepare everything the evening before.",
    "Keep the receipts and the notes together, and next year will be much easier.",
    "Every mistake that you make early is one that you will not make later.",
    "In the end it is the ordinary days that decide how well things go.",
  ],
};

const german: Language = {
  name: "German",
  space: " ",
  titles: ["Ein praktischer Leitfaden: {k}", "Was man über {k} wissen sollte", "So gelingt der Einstieg: {k}"],
  headings: [
    "Der erste Schritt",
    "Was man braucht",
    "Häufige Fehler",
    "Ein genauer Blick",
    "Wie es weitergeht",
    "Warum es sich lohnt",
  ],
  keywords: ["Garten", "Morgenlicht", "gutes Werkzeug", "Geduld", "frisches Wasser", "alte Rezepte"],
  sentences: [
    "Wer über {k} nachdenkt, erinnert sich meist an den ersten missglückten Versuch.",
    "Eine ruhige Stunde am Morgen ist mehr wert als ein ganzes Wochenende in Eile.",
    "Schreiben Sie auf, was Sie haben, was Sie brauchen und was der Nachbar verleihen kann.",
    "Die besten Ergebnisse entstehen aus kleinen Schritten, die man sorgfältig wiederholt.",
    "Hinter dem Thema {k} steckt kein Geheimnis, sondern eine Handvoll Gewohnheiten.",
    "Wenn etwas nicht gelingt, ändert man nur eine Sache und beobachtet, was geschieht.",
    "Gutes Werkzeug hält viele Jahre, wenn man es nach jedem Gebrauch reinigt.",
    "Fragen Sie jemanden mit Erfahrung, denn er weiß, welche Ratschläge man überhören darf.",
    "Ein fester Termin hilft, weil ohne ihn nichts jemals fertig wird.",
    "Beim Thema {k} ist die Geduld wie beim Brot die günstigste Zutat.",
    "Das Wetter wartet nicht, deshalb bereitet man alles am Abend vorher vor.",
    "Bewahren Sie Belege und Notizen gemeinsam auf, dann wird das nächste Jahr leichter.",
    "Jeder Fehler, den man früh macht, bleibt einem später erspart.",
    "Am Ende entscheiden die gewöhnlichen Tage darüber, wie gut es wird.",
  ],
};

const french: Language = {
  name: "French",
  space: " ",
  titles: ["Un guide pratique : {k}", "Ce que chacun devrait savoir sur {k}", "Bien débuter avec {k}"],
  headings: [
    "Par où commencer",
    "Ce qu'il faut",
    "Les erreurs courantes",
    "Un regard plus précis",
    "La suite",
    "Pourquoi cela vaut la peine",
  ],
  keywords: ["jardin", "lumière du matin", "bons outils", "patience", "eau fraîche", "vieilles recettes"],
  sentences: [
    "Ceux qui pensent à {k} se souviennent souvent de leur premier échec.",
    "Une heure tranquille le matin vaut mieux qu'une fin de semaine passée dans la hâte.",
    "Notez ce que vous avez, ce qu'il vous faut et ce que le voisin peut prêter.",
    "Les meilleurs résultats viennent de petits pas répétés avec soin.",
    "Il n'y a aucun secret derrière {k}, seulement quelques habitudes que chacun peut apprendre.",
    "Quand quelque chose ne marche pas, changez une seule chose et observez la suite.",
    "De bons outils durent des années si on les nettoie après chaque usage.",
    "Demandez à quelqu'un d'expérience, car il sait quels conseils on peut oublier.",
    "Il est utile de fixer une date, car sans elle rien n'est jamais terminé.",
    "Avec {k}, comme avec le pain, la patience est l'ingrédient le moins cher.",
    "À la fin, ce sont les jours ordinaires qui décident du résultat.",
  ],
};

const spanish: Language = {
  name: "Spanish",
  space: " ",
  titles: ["Una guía práctica: {k}", "Lo que todos deberían saber sobre {k}", "Cómo empezar con {k}"],
  headings: [
    "Por dónde empezar",
    "Lo que hace falta",
    "Errores frecuentes",
    "Una mirada más atenta",
    "Lo que sigue",
    "Por qué vale la pena",
  ],
  keywords: ["jardín", "luz de la mañana", "buenas herramientas", "paciencia", "agua fresca", "recetas antiguas"],
  sentences: [
    "Quienes piensan en {k} suelen recordar la primera vez que algo salió mal.",
    "Una hora tranquila por la mañana vale más que un fin de semana lleno de prisa.",
    "Anote lo que tiene, lo que necesita y lo que puede prestarle un vecino.",
    "Los mejores resultados nacen de pequeños pasos que se repiten con cuidado.",
    "Detrás de {k} no hay ningún secreto, solo unas costumbres que cualquiera puede aprender.",
    "Cuando algo no funciona, cambie una sola cosa y observe lo que ocurre.",
    "Las buenas herramientas duran años si se limpian después de cada uso.",
    "Pregunte a alguien con experiencia, porque sabe qué consejos se pueden olvidar.",
    "Ayuda mucho fijar una fecha, porque sin ella nada se termina nunca.",
    "Con {k}, como con el pan, la paciencia es el ingrediente más barato.",
    "Al final son los días comunes los que deciden cómo resulta todo.",
  ],
};

const japanese: Language = {
  name: "Japanese",
  space: "",
  titles: ["{k}の実践ガイド", "{k}について知っておきたいこと", "{k}の始め方"],
  headings: ["はじめに", "必要なもの", "よくある失敗", "もう少し詳しく", "これからのこと", "続ける理由"],
  keywords: ["庭", "朝の光", "よい道具", "忍耐", "新鮮な水", "昔のレシピ"],
  sentences: [
    "{k}について考えるとき、多くの人は最初の失敗を思い出します。",
    "朝の静かな一時間は、慌ただしい週末よりもずっと価値があります。",
    "手元にあるもの、必要なもの、隣の人から借りられるものを書き出してみましょう。",
    "よい結果は、丁寧に繰り返される小さな一歩から生まれます。",
    "{k}に秘密はなく、誰でも身につけられる習慣があるだけです。",
    "うまくいかないときは、一つだけ変えて様子を見てください。",
    "よい道具は、使うたびに手入れをすれば何年も長持ちします。",
    "経験のある人に聞けば、聞き流してよい助言も教えてくれます。",
    "期限を決めておくと、最後までやり遂げやすくなります。",
    "パンと同じように、{k}でも忍耐がいちばん安い材料です。",
    "結局のところ、仕上がりを決めるのはいつもの毎日です。",
  ],
};

export const LANGUAGES: Readonly<Record<string, Language>> = {
  en: english,
  de: german,
  fr: french,
  es: spanish,
  ja: japanese,
};

import type { DemoArticle } from "./types.ts";

export const fieldNotesDe: DemoArticle[] = [
  {
    slug: "arriving-by-ferry",
    cover: "ferry",
    locale: "de",
    title: "Ankommen mit der Fähre",
    description:
      "Warum der langsamste Weg in einen kleinen Hafen oft der beste ist und was man mit der ersten Stunde an Land anfängt.",
    content: `Der Zug setzt einen mitten in der Stadt ab, das Flugzeug weit davor. Die Fähre macht es anders: Sie zeigt einem den ganzen Ort erst einmal aus der Ferne und lässt einem zwanzig Minuten Zeit, darüber nachzudenken.

Diese Minuten verbringe ich nach Möglichkeit an Deck. Bis die Leinen fliegen, weiß ich meistens, wo die Kirche steht, welche Seite der Bucht Abendsonne bekommt und wie weit die Häuser den Hang hinaufklettern, bevor der Berg gewinnt.

## Worauf man bei der Einfahrt achten kann

- **Die Mole.** Ist sie lang und schwer gebaut, verrät sie, woher das schlechte Wetter kommt. Das Dorf kehrt dieser Seite den Rücken zu.
- **Die Arbeitsboote.** Liegen sie direkt am Eishaus oder an der Tankstelle, gibt hier noch immer die Fischerei den Takt vor.
- **Die Straße aus dem Ort.** Man folgt ihr mit den Augen. Verläuft sie in Serpentinen, braucht die Wanderung morgen länger, als die Karte behauptet.
- **Die Bank.** Fast jeder Hafen hat eine, die Licht bekommt und windgeschützt steht. Irgendjemand sitzt schon dort.

## Die erste Stunde

Die meisten Fußgänger verlassen den Anleger im Eilschritt, als könnte die Fähre es sich noch anders überlegen. Ich lasse sie ziehen. Nach zehn Minuten sind die Autos fort, die Rampe ist oben, und der Ort findet zu seiner üblichen Lautstärke zurück. Das ist der Hafen, den die Einheimischen kennen.

Dann erledige ich drei langweilige Dinge, und zwar in dieser Reihenfolge:

1. Den Fahrplan an der Wand fotografieren. Der Aushang ist oft aktueller als die Website.
2. Trinkwasser finden.
3. Bis ans Ende der Mole gehen und wieder zurück.

Auf diesen Gang kommt es an. Man sieht den Ort noch einmal vom Wasser aus, diesmal im Stillstand, und die Karte im Kopf dreht sich richtig herum.

## Wenn das Boot weg ist

Früher oder später verpasst man eines. Am besten tut man so, als gäbe es die letzte Abfahrt gar nicht, und plant mit der vorletzten. Frischt der Wind auf, wird die Abendfahrt lange vor der Mittagsfahrt gestrichen, und im Kassenhäuschen weiß man das Stunden im Voraus. Man sollte früh fragen, und freundlich; dort wird jeden Tag dasselbe Gespräch geführt.

Passiert es doch, hat man einen Abend in einem kleinen Hafen geschenkt bekommen. Am Kai gehen die Lampen an, jemand spritzt ein Deck ab, und bis zum Morgen erwartet niemand mehr etwas von einem.
`,
    published: true,
  },
  {
    slug: "coffee-on-a-small-stove",
    cover: "stove",
    daysAgo: 41,
    locale: "de",
    title: "Kaffee vom kleinen Kocher",
    description:
      "Ein Rezept für einen guten Becher im Freien: ohne Filter, ohne Spielzeug und nachsichtig mit kalten Fingern.",
    content: `Ich habe schon einen faltbaren Handfilter, eine Handpresse und eine Espressokanne auf diverse Hügel getragen. Zu Hause machten alle drei ordentlichen Kaffee, draußen vor allem Abwasch. Im Rucksack geblieben sind ein Topf, ein Becher und ein Löffel.

## Was man braucht

- 16 g Kaffee, etwas gröber gemahlen als für Filterpapier
- 240 ml Wasser und dazu einen Schuss kaltes
- einen kleinen Gaskocher und einen Topf mit Deckel
- einen Becher, den man ohne Bedenken ins nasse Gras stellt

Den Kaffee wiege ich zu Hause ab. Einzelne Portionen falte ich in Backpapier ein; die Päckchen sind flach und taugen später in der Hütte noch als Anzünder.

## So geht es

1. Den Kocher dorthin stellen, wo kein Wind ist. Eine Mauer, ein Felsblock oder die Leeseite eines Bootsschuppens spart mehr Gas als jeder teure Brenner.
2. Das Wasser mit Deckel zum Kochen bringen, die Flamme abdrehen und langsam bis dreißig zählen.
3. Den Kaffee hineingeben, fünfmal umrühren, Deckel wieder drauf.
4. Vier Minuten warten. Dabei möglichst weit in die Ferne schauen.
5. Die Kruste einmal unterrühren, damit sie absinkt, den Schuss kaltes Wasser dazugeben und noch eine Minute warten.
6. Langsam eingießen und den letzten Fingerbreit im Topf lassen.

Das Filtern übernimmt das Warten. Nasses Kaffeepulver ist schwerer als Wasser und setzt sich, sobald man es in Ruhe lässt. Wer Satz zwischen den Zähnen hat, hat zu früh eingegossen.

## Nachjustieren

| Er schmeckt | Beim nächsten Mal |
| --- | --- |
| dünn und sauer | feiner mahlen oder eine Minute länger ziehen lassen |
| bitter und trocken | gröber mahlen oder nach dem Kochen länger warten |
| gut, aber kalt | den Becher vorher mit etwas heißem Wasser anwärmen |

Immer nur eine Sache ändern. Draußen reden ohnehin Wind, Höhe und Hunger mit, und jedem davon lässt sich die Schuld geben.

## Keine Spuren

Kaffeesatz ist kein Müll im üblichen Sinn, aber ein braunes Häufchen neben einer Quelle bleibt ein braunes Häufchen. Abkühlen lassen, ins Backpapier wickeln und bis zum nächsten Mülleimer mitnehmen. Außerdem gilt: vor dem Anzünden die örtlichen Regeln lesen. In trockenen Sommern sind an vielen Küsten auch Gaskocher verboten, und dann ist eine beim Frühstück gefüllte Thermoskanne die richtige Ausrüstung.

Der Kaffee daraus ist schlechter. Die Aussicht ist dieselbe.
`,
    published: true,
  },
  {
    slug: "walking-the-same-path-twice",
    cover: "path",
    daysAgo: 16,
    locale: "de",
    title: "Denselben Weg zweimal gehen",
    description: "Strecken mit gleichem Hin- und Rückweg haben einen schlechten Ruf. Wozu der Rückweg gut ist.",
    content: `Wanderführer lieben Rundwege. Ein Rundweg hat eine Form, wiederholt sich nie und endet praktischerweise am Parkplatz. Die schlichte Strecke hin und zurück steht am Ende des Kapitels, bei den leichten Touren.

Mir ist sie inzwischen lieber. In Gegenrichtung ist ein Weg ein anderer Weg, und man kennt schon die Stellen, an denen es matschig wird.

## Was sich auf dem Rückweg ändert

**Das Licht.** Wer um neun losgeht und um eins umkehrt, hat die Sonne an einer ganz anderen Stelle. Klippen, die am Morgen ein grauer Scherenschnitt waren, haben am Nachmittag Schichten.

**Die Steigung.** Aus dem Anstieg mit gesenktem Kopf wird ein Abstieg mit erhobenem. An der Küste macht das besonders viel aus, denn ausgerechnet dort, wo man am meisten schnauft, liegt die Aussicht meist im Rücken.

**Die Aufmerksamkeit.** Auf dem Hinweg ist ein guter Teil des Kopfes mit der Orientierung beschäftigt. Ist das der Zaunübertritt? Hätte hier nicht ein Bach kommen müssen? Auf dem Rückweg sind diese Fragen beantwortet, und es ist Platz für Vögel.

## Wie man so eine Tour plant

- Einen Wendepunkt wählen, an dem man gern sitzt: eine Landspitze, eine Kapelle, einen Hafen mit Kiosk. „Nach acht Kilometern“ ist kein Ziel.
- Zusätzlich eine *Uhrzeit* für die Umkehr festlegen. Es gilt, was zuerst eintritt.
- Morgens gegen den Wind gehen. Müde Beine freuen sich später über Rückenwind.
- Absichtlich etwas übrig lassen. Zweigt ein Pfad zu einer Bucht ab, nimmt man ihn auf dem Heimweg.

Für die Entfernung reicht eine einfache Karte. Ich zeichne die Strecke auf [OpenStreetMap](https://www.openstreetmap.org/) nach, notiere mir die Länge einer Richtung und rechne mit vier Kilometern pro Stunde, Pausen eingeschlossen. Auf Sand oder Kies rechne ich mit drei.

## Derselbe Weg in einem anderen Jahr

Die längere Fassung dieser Idee lautet: wiederkommen. Zwischen zwei Fischerdörfern gibt es ein Stück von etwa sechs Kilometern, das ich inzwischen in vier verschiedenen Oktobern gegangen bin. In einem Jahr fehlte die Brücke. In einem anderen hatte jemand an der Feldmauer eine Reihe Apfelbäume gepflanzt, und seither behalte ich sie im Auge.

Anfangs waren sie kniehoch. Im letzten Herbst trug einer von ihnen drei Äpfel, alle außer Reichweite auf der falschen Seite der Mauer. Das kam mir ganz richtig vor.
`,
    published: false,
  },
];

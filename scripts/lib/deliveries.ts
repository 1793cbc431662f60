import type { Delivery } from "./receiver.ts";

/** Collects deliveries until the banner has been printed. After that, it shows them and each new one. */
export class Deliveries {
  readonly first: Promise<void>;
  #announceFirst: () => void = () => undefined;
  #kept: Delivery[] = [];
  #show: (delivery: Delivery) => void = (delivery) => void this.#kept.push(delivery);

  constructor() {
    this.first = new Promise((resolve) => (this.#announceFirst = resolve));
  }

  add(delivery: Delivery): void {
    this.#show(delivery);
    this.#announceFirst();
  }

  showFrom(show: (delivery: Delivery) => void): void {
    this.#kept.forEach(show);
    this.#show = show;
  }
}

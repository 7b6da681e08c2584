// An input that moves through a list while the focus stays in it.

export { default as Combobox } from "../../vendor/combobox-nav.js";
